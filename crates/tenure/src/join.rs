//! Joins: iterating over a container together with side maps, over the handles that all of them
//! have.
#![expect(unsafe_code, reason = "gives out values of several containers, each once")]

mod member;

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;

pub use self::member::IntoMember;
use self::member::{Lead, Member};
use crate::key::{Key, KeyExt};
use crate::slots::SlotRef;

/// Iterates over several containers together, in index order, over the handles that all of them
/// have.
///
/// The first is a pool, a table, a world, or the [`Live`](crate::Live) half of a split; the others
/// are side maps of its handles, shared or mutable, in a tuple of up to eight. Handles that are
/// missing in one of them are skipped, 64 slots at a time; so are values of dead handles that a
/// side map still has. [`Maybe`] makes the value of a side map optional.
///
/// ```
/// use tenure::join::Maybe;
/// use tenure::{Pool, SideMap, join};
///
/// let mut goblins = Pool::from(["Grik", "Snag", "Bolg"]);
/// let [grik, snag, bolg] = [0, 1, 2].map(|index| goblins.handle_at(index).unwrap());
///
/// let mut health = SideMap::new();
/// let mut poison = SideMap::new();
/// for (handle, points) in [(grik, 10), (snag, 20), (bolg, 30)] {
///     health.insert(&goblins, handle, points).unwrap();
/// }
/// poison.insert(&goblins, snag, 3).unwrap();
/// poison.insert(&goblins, bolg, 4).unwrap();
/// goblins.remove(bolg);
///
/// for (_handle, (_name, health, poison)) in join((&goblins, &mut health, &poison)) {
///     *health -= poison; // live, with health, and poisoned: Snag
/// }
/// assert_eq!((health[grik], health[snag], health[bolg]), (10, 17, 30));
///
/// let all: Vec<_> = join((&goblins, Maybe(&poison))).map(|(_handle, item)| item).collect();
/// assert_eq!(all, [(&"Grik", None), (&"Snag", Some(&3))]);
/// ```
#[doc(alias("query", "view"))]
pub fn join<H: Key, M: IntoMember<H>>(members: M) -> Join<M::Member, H>
where
    M::Member: Lead,
{
    let members = members.into_member();
    Join { end_word: members.words(), next_word: 0, bits: 0, members, about: PhantomData }
}

/// An iterator over the handles and items of several containers, in index order. See [`join`].
#[must_use = "iterators are lazy"]
pub struct Join<M, H: Key> {
    members: M,
    /// The unvisited slots of the word before `next_word` that are live in all members.
    bits: u64,
    next_word: u32,
    end_word: u32,
    about: PhantomData<H>,
}

impl<M: Lead, H: Key> Join<M, H> {
    /// The next slot that is live in all members.
    #[inline]
    fn next_index(&mut self) -> Option<u32> {
        while self.bits == 0 {
            self.next_word = self.members.next_word(self.next_word);
            if self.next_word >= self.end_word {
                return None;
            }
            self.bits = self.members.live(self.next_word);
            self.next_word += 1;
        }
        let bit = self.bits.trailing_zeros();
        self.bits &= self.bits - 1;
        Some((self.next_word - 1) * 64 + bit)
    }
}

impl<M: Lead, H: Key> Iterator for Join<M, H> {
    type Item = (H, M::Item);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let index = self.next_index()?;
            // SAFETY: J1 requires that the slot is live in all members, and that `item` is called
            // for an index once. The slot is in the bits of `live`, which has those that are live
            // in all; `has` is checked before `item`; and no index occurs twice.
            unsafe {
                let mark = self.members.mark(index);
                if self.members.has(index, mark) {
                    return Some((H::from_slot(SlotRef { index, mark }), self.members.item(index, mark)));
                }
            }
        }
    }
}

impl<M: Lead, H: Key> FusedIterator for Join<M, H> {}

impl<M, H: Key> fmt::Debug for Join<M, H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Join").finish_non_exhaustive()
    }
}

/// Makes the value of a side map optional in a join: its item is an `Option`. See [`join`].
#[derive(Clone, Copy, Debug)]
pub struct Maybe<M>(pub M);
