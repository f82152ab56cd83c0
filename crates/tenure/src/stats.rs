//! Figures about a container.

use crate::layout::Layout;
use crate::slots::{Buffer, Slots};
use crate::status::last_tenant;

/// Counts and memory of a pool. See [`Pool::stats`](crate::Pool::stats).
///
/// ```
/// use tenure::Pool;
///
/// let mut pool: Pool<char> = ('a'..='e').collect();
/// let second = pool.handle_at(1).unwrap();
/// pool.remove(second);
///
/// let stats = pool.stats();
/// assert_eq!((stats.live, stats.free, stats.holes), (4, 1, 1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Slots with a value: the same as `len`, except in a world, where entities that are not
    /// committed count, too.
    pub live: usize,
    /// Free slots.
    pub free: usize,
    /// Slots whose handle is pending: it has no value.
    pub pending: usize,
    /// Slots that have used up their generations.
    pub retired: usize,
    /// The number of slots that fit without allocating.
    pub capacity: usize,
    /// Heap memory in bytes, without memory that the values own.
    pub bytes: usize,
    /// Slots without a value below the last slot with one, which iteration skips.
    pub holes: usize,
    /// The highest generation of any slot, as handles count it.
    pub highest_generation: u32,
}

impl<P, L: Layout, B: Buffer<P>> Slots<P, L, B> {
    pub(crate) fn stats(&self) -> Stats {
        let states = || (0..self.slot_count()).map(|index| self.state(index));
        let end = self.last_live(self.slot_count()).map_or(0, |last| last as usize + 1);
        Stats {
            live: self.len(),
            free: self.free_count() as usize,
            pending: self.pending_count() as usize,
            retired: self.retired_count() as usize,
            capacity: self.capacity() as usize,
            bytes: self.bytes(),
            holes: end - self.len(),
            highest_generation: states().map(|(mark, vacancy)| last_tenant::<L>(mark, vacancy)).max().unwrap_or(0),
        }
    }
}
