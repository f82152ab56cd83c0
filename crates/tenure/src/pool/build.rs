//! Reading all slots of a pool, and building a pool slot by slot: for saved forms of other
//! libraries.

use core::fmt;
use core::marker::PhantomData;

use super::{Growable, Pool};
use crate::handle::Handle;
use crate::key::Key;
use crate::slots::{Buffer, Building, LoadError, Preamble, Tenancy, TenancyKind};

/// The content of a slot of a pool, live or not: the unit of a saved form.
///
/// A generation is that of [`Handle::generation`]: 1 for the first tenant of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SlotContent<T> {
    /// A value, with its generation.
    Live(u32, T),
    /// A handle with this generation that is [reserved or taken](Pool::take).
    Pending(u32),
    /// No value. The generation is that of the last tenant, or 0 if there was none. If it is the
    /// layout's [`MAX_TENANTS`](crate::Layout::MAX_TENANTS), the slot is retired.
    Vacant(u32),
}

impl<T, H: Key, B: Buffer<T>> Pool<T, H, B> {
    /// Returns the number of slots, live or not. Their indices are `0..slot_count()`.
    ///
    /// ```
    /// let mut pool: tenure::Pool<u8> = (0..3).collect();
    /// pool.clear();
    /// assert_eq!((pool.len(), pool.slot_count()), (0, 3));
    /// ```
    #[inline]
    #[must_use]
    pub fn slot_count(&self) -> usize {
        self.slots.slot_count() as usize
    }

    /// Returns the content of a slot. `None` if there is no slot with this index. O(1).
    ///
    /// ```
    /// use tenure::{Pool, pool::SlotContent};
    ///
    /// let mut pool: Pool<u8> = (7..9).collect();
    /// pool.remove(pool.handle_at(0).unwrap());
    /// assert_eq!(pool.slot(0), Some(SlotContent::Vacant(1)));
    /// assert_eq!(pool.slot(1), Some(SlotContent::Live(1, &8)));
    /// assert_eq!(pool.slot(2), None);
    /// ```
    #[must_use]
    pub fn slot(&self, index: u32) -> Option<SlotContent<&T>> {
        if index >= self.slots.slot_count() {
            return None;
        }
        let Tenancy { generation, kind } = self.slots.tenancy(index);
        Some(match kind {
            TenancyKind::Vacant => SlotContent::Vacant(generation),
            TenancyKind::Pending => SlotContent::Pending(generation),
            TenancyKind::Live => {
                let value = self.slots.live_mark(index).and_then(|mark| self.slots.get(index, mark));
                SlotContent::Live(generation, value.unwrap_or_else(|| unreachable!("S1: a live slot has a value")))
            }
        })
    }
}

/// Builds a pool slot by slot, from a saved form other than the library's own.
///
/// With the feature `serde`, a pool has a saved form of its own (`docs::saved_form`), which also
/// keeps the order of future handles. A built pool uses its free slots lowest first.
///
/// ```
/// use tenure::pool::{Builder, SlotContent};
/// use tenure::{Handle, Pool};
///
/// let mut builder = Builder::new();
/// builder.push(SlotContent::Live(3, "goblin"))?;
/// builder.push(SlotContent::Vacant(1))?;
/// let mut pool: Pool<&str> = builder.finish();
///
/// assert_eq!(pool[Handle::from_parts(0, 3).unwrap()], "goblin");
/// assert_eq!(pool.insert("chicken").to_string(), "str(1v2)");
/// # Ok::<(), tenure::pool::SlotError>(())
/// ```
pub struct Builder<T, H: Key = Handle<T>> {
    slots: Building<T, H::Layout, Growable<T>>,
    about: PhantomData<fn() -> H>,
}

impl<T, H: Key> Builder<T, H> {
    /// Creates a builder without slots. Does not allocate.
    #[must_use]
    pub const fn new() -> Self {
        Self { slots: Building::new(), about: PhantomData }
    }

    /// Appends a slot; the first one has the index 0. Amortised O(1).
    ///
    /// # Errors
    ///
    /// When the generation or the number of slots exceeds the limit of the layout, or when there is
    /// no memory. The value is dropped, and the slots that were added before stay.
    pub fn push(&mut self, slot: SlotContent<T>) -> Result<(), SlotError> {
        let pushed = match slot {
            SlotContent::Live(generation, value) => self.slots.push_live(generation, value),
            SlotContent::Pending(generation) => {
                self.slots.push_vacant(Tenancy { generation, kind: TenancyKind::Pending })
            }
            SlotContent::Vacant(generation) => {
                self.slots.push_vacant(Tenancy { generation, kind: TenancyKind::Vacant })
            }
        };
        pushed.map_err(SlotError)
    }

    /// Returns the pool. Visits the free slots once.
    #[must_use]
    pub fn finish(self) -> Pool<T, H> {
        match self.slots.finish(&Preamble::default()) {
            Ok(slots) => Pool::from_slots(slots),
            Err(error) => unreachable!("slots that were pushed fit together: {error}"),
        }
    }
}

impl<T, H: Key> Default for Builder<T, H> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T, H: Key> fmt::Debug for Builder<T, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder").field("slots", &self.slots.index()).finish_non_exhaustive()
    }
}

/// Why [`Builder::push`] rejected a slot, with the index of the slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlotError(LoadError);

impl fmt::Display for SlotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl core::error::Error for SlotError {}
