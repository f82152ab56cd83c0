//! Methods for a single pool or world.

use alloc::vec::Vec;

use super::{Audit, Dangling, Relink, Relinked, Transfer, TransferError};
use crate::dense::DensePool;
use crate::key::Key;
use crate::pool::Pool;
use crate::slots::Buffer;
use crate::stable::StablePool;
use crate::world::World;

macro_rules! methods {
    ($(
        $(#[doc = $merge:literal])*
        $(@copy $(#[doc = $copy:literal])*)?
        impl [$($parameters:tt)*] $Type:ty => $Value:ty;
    )*) => {$(
        // The bounds are on the methods, so that the compiler prints the notes of `Relink` where
        // one is missing.
        impl<$($parameters)*> $Type {
            $(#[doc = $merge])*
            ///
            /// # Errors
            ///
            /// When there is no room for all values. No value has moved in this case.
            #[track_caller]
            pub fn merge(&mut self, other: &mut Self) -> Result<Relinked, TransferError>
            where
                $Value: Relink,
            {
                Transfer::new().merge(self, other).run()
            }

            /// Copies a group of values. In the copies, handles of values of the group are replaced
            /// with the handles of their copies. Other handles of this container stay if they
            /// resolve or are pending; if not, they are cleared and reported. Handles of other
            /// kinds stay as they are.
            ///
            /// The copies are inserted in the order of the group. A handle that occurs twice is
            /// copied once. To copy from several pools, use [`Transfer::copy`].
            $($(#[doc = $copy])*)?
            ///
            /// # Errors
            ///
            /// When there is no room for all copies, or a handle of the group does not resolve.
            /// Nothing has changed in this case.
            #[doc(alias("prefab", "instantiate", "duplicate"))]
            pub fn copy_group(&mut self, group: &[H]) -> Result<Relinked, TransferError>
            where
                $Value: Relink + Clone,
            {
                Transfer::new().copy(self, group).run()
            }

            /// Copies some of the values into another container, as to a clipboard. In the copies,
            /// handles of values of the group are replaced with the handles of their copies. All
            /// other handles of this kind are cleared and reported. Handles of other kinds stay.
            ///
            /// In a world, the copies are spawned: iterators visit them after its next commit.
            ///
            /// Across several pools: [`Transfer::copy_into`].
            ///
            /// ```
            /// use tenure::{Handle, Pool, Relink};
            ///
            /// #[derive(Clone, Relink)]
            /// struct Node { parent: Option<Handle<Node>> }
            ///
            /// let mut scene = Pool::new();
            /// let root = scene.insert(Node { parent: None });
            /// let car = scene.insert(Node { parent: Some(root) });
            /// let wheel = scene.insert(Node { parent: Some(car) });
            ///
            /// let mut clipboard = Pool::new();
            /// let copied = scene.copy_group_into(&[car, wheel], &mut clipboard).unwrap();
            /// let (car, wheel) = (copied.new_handle(car).unwrap(), copied.new_handle(wheel).unwrap());
            /// assert_eq!(clipboard[wheel].parent, Some(car));
            /// assert_eq!(clipboard[car].parent, None); // the root was not copied
            /// assert_eq!(copied.cleared().len(), 1);
            ///
            /// scene.merge(&mut clipboard).unwrap(); // paste
            /// assert_eq!(scene.len(), 5);
            /// ```
            ///
            /// # Errors
            ///
            /// When there is no room for all copies, or a handle does not resolve. Nothing has
            /// changed then.
            #[doc(alias("clipboard", "copy and paste"))]
            pub fn copy_group_into(&self, group: &[H], into: &mut Self) -> Result<Relinked, TransferError>
            where
                $Value: Relink + Clone,
            {
                Transfer::new().copy_into(self, group, into).run()
            }

            /// Returns all dangling handles of this container that its values contain, each with
            /// the handle of the value that contains it (the holder), its path, and why it does not
            /// resolve. Handles of other kinds are not checked; for several pools, use [`Audit`]. A
            /// handle that is reserved, or whose value was taken, is listed, and
            /// [`is_pending`](Dangling::is_pending). Staged entities of a world are not visited.
            #[must_use]
            #[doc(alias("dangling", "check references"))]
            pub fn audit(&self) -> Vec<Dangling>
            where
                $Value: Relink,
            {
                Audit::new().over(self).run()
            }

            /// Clears the handles that [`audit`](Self::audit) returns, except pending ones, and
            /// returns what it has cleared: for example after loading a file that may be damaged.
            ///
            /// A pending handle may still get its value, for example by an undo. If it will not,
            /// call `release_pending` first.
            ///
            /// A handle becomes nil, or `None` in an `Option`. In a set the element is removed, and
            /// in a map the entry whose key has the handle. For several pools, use
            /// [`Transfer::clear_dangling`].
            pub fn clear_dangling(&mut self) -> Vec<Dangling>
            where
                $Value: Relink,
            {
                // Nothing moves, so this cannot fail.
                Transfer::new().clear_dangling(self).run().map(|relinked| relinked.cleared).unwrap_or_default()
            }
        }
    )*};
}

methods! {
    /// Moves all values of `other` into this container, under new handles. Handles of `other`
    /// inside them are changed to the new ones; those that do not resolve (also pending ones) are
    /// cleared and reported. Handles of other kinds stay.
    ///
    /// `other` is empty afterwards, and handles that were [pending](Self::reserve_handle) there are
    /// released. For several pools that refer to each other, use [`Transfer`].
    ///
    /// ```
    /// use tenure::{Handle, Pool, Relink};
    ///
    /// #[derive(Clone, Relink)]
    /// struct Goblin { boss: Option<Handle<Goblin>> }
    ///
    /// let (mut cave, mut saved) = (Pool::new(), Pool::new());
    /// cave.insert(Goblin { boss: None });
    /// let boss = saved.insert(Goblin { boss: None });
    /// let grik = saved.insert(Goblin { boss: Some(boss) });
    ///
    /// let merged = cave.merge(&mut saved).unwrap();
    /// let grik = merged.new_handle(grik).unwrap();
    /// assert_eq!(cave[grik].boss, merged.new_handle(boss));
    /// assert!(merged.cleared().is_empty()); // no reference was dangling
    ///
    /// let twins = cave.copy_group(&[grik]).unwrap();
    /// let twin = twins.new_handle(grik).unwrap();
    /// assert_eq!(cave[twin].boss, cave[grik].boss); // the boss was not copied
    /// ```
    impl [T, H: Key<Kind: 'static>, B: Buffer<T>] Pool<T, H, B> => T;

    /// See [`Pool::merge`](crate::Pool::merge).
    impl [T, H: Key<Kind: 'static>] StablePool<T, H> => T;

    /// See [`Pool::merge`](crate::Pool::merge). The values of `other` become the last rows, in the
    /// same order.
    impl [T, H: Key<Kind: 'static>] DensePool<T, H> => T;

    /// Moves all values of `other` into this container, under new handles. Handles of `other`
    /// inside them are changed to the new ones; those that do not resolve (also pending ones) are
    /// cleared and reported. Handles of other kinds stay.
    ///
    /// `other` ends its frame first: its dying entities are removed and do not move (their handles
    /// are cleared); its spawned and staged entities are committed and move. In this world,
    /// the entities are spawned: their handles resolve at once, and iterators visit them after the
    /// next [commit](Self::commit). They get new ids. [Permanent](Self::make_permanent) entities
    /// stay permanent.
    ///
    /// `other` is empty afterwards, and handles that were [pending](Self::reserve_handle) there are
    /// released. If the merge fails, `other` has ended its frame, and nothing else has changed.
    ///
    /// ```
    /// use tenure::{Handle, Relink, World};
    ///
    /// #[derive(Relink)]
    /// struct Entity { name: String, target: Option<Handle<Entity>> }
    ///
    /// let (mut world, mut saved) = (World::new(), World::new());
    /// world.spawn(Entity { name: "player".into(), target: None });
    /// world.end_frame();
    ///
    /// let tower = saved.spawn(Entity { name: "tower".into(), target: None });
    /// let missile = saved.spawn(Entity { name: "missile".into(), target: Some(tower) });
    /// let lost = saved.spawn(Entity { name: "lost".into(), target: Some(missile) });
    /// saved.despawn(missile);
    ///
    /// let loaded = world.merge(&mut saved).unwrap();
    /// assert_eq!(loaded.cleared()[0].path, "Entity.target"); // of "lost", whose target was removed
    /// assert_eq!(loaded.new_handle(missile), None);
    /// world.end_frame(); // commits the entities
    /// assert_eq!(world.len(), 3);
    /// assert_eq!(world[loaded.new_handle(lost).unwrap()].target, None);
    /// ```
    ///
    /// # Panics
    ///
    /// When `other` has no room to commit its staged entities.
    @copy
    ///
    /// The copies are spawned: their handles resolve at once, and iterators visit them after the
    /// next [commit](Self::commit). They get new ids, and are neither permanent nor dying, even if
    /// the originals are.
    impl [E, H: Key<Kind: 'static>] World<E, H> => E;
}
