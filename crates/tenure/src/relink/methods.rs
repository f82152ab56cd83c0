//! What a single pool or world can do by itself.

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
        // Bounds on the methods: so the compiler says what to do where one is not met.
        impl<$($parameters)*> $Type {
            $(#[doc = $merge])*
            ///
            /// # Errors
            ///
            /// When there is no room for all. Then nothing has changed.
            #[track_caller]
            pub fn merge(&mut self, other: &mut Self) -> Result<Relinked, TransferError>
            where
                $Value: Relink,
            {
                Transfer::new().merge(self, other).run()
            }

            /// Copies some of what is here. References among these lead to the copies; all others
            /// stay as they are, if they lead to something; those that lead nowhere are cleared in
            /// the copy, and reported.
            ///
            /// The copies are made in the order of the group. What is named twice is copied once.
            /// Copies across several pools: [`Transfer::copy`].
            $($(#[doc = $copy])*)?
            ///
            /// # Errors
            ///
            /// When there is no room for all, or one of them is not there. Then nothing has
            /// changed.
            #[doc(alias("prefab", "instantiate", "duplicate"))]
            pub fn copy_group(&mut self, group: &[H]) -> Result<Relinked, TransferError>
            where
                $Value: Relink + Clone,
            {
                let group: Vec<_> = group.iter().map(|key| key.handle()).collect();
                Transfer::new().copy(self, &group).run()
            }

            /// Copies some of what is here into another container, as to a clipboard. References
            /// among these lead to the copies; all others are cleared in the copies, and reported.
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
            /// When there is no room for all, or one of them is not there. Then nothing has
            /// changed.
            #[doc(alias("clipboard", "copy and paste"))]
            pub fn copy_group_into(&self, group: &[H], into: &mut Self) -> Result<Relinked, TransferError>
            where
                $Value: Relink + Clone,
            {
                let group: Vec<_> = group.iter().map(|key| key.handle()).collect();
                Transfer::new().copy_into(self, &group, into).run()
            }

            /// All references from one value here to another that lead nowhere: whose, where, and
            /// why. A reference to a handle that is reserved or taken is listed, and
            /// [`is_pending`](Dangling::is_pending). Handles of other kinds are not judged; across
            /// several pools: [`Audit`].
            #[must_use]
            #[doc(alias("dangling", "check references"))]
            pub fn audit(&self) -> Vec<Dangling>
            where
                $Value: Relink,
            {
                Audit::new().over(self).run()
            }

            /// Clears what [`audit`](Self::audit) lists, but for references to pending handles, and
            /// returns what it has cleared: for a file that may be damaged, before the first frame.
            ///
            /// A pending handle may still get its value, by an undo for example. Where it will not,
            /// call [`release_pending`](Self::release_pending) first.
            ///
            /// A handle becomes nil, or `None` in an `Option`; an entry of a map or a set goes.
            /// Across several pools: [`Transfer::clear_dangling`].
            pub fn clear_dangling(&mut self) -> Vec<Dangling>
            where
                $Value: Relink,
            {
                // Nothing moves, so there is nothing that could fail.
                Transfer::new().clear_dangling(self).run().map(|relinked| relinked.cleared).unwrap_or_default()
            }
        }
    )*};
}

methods! {
    /// Takes everything in that is in `other`, under new handles. References among these follow;
    /// those that lead nowhere are cleared, and reported.
    ///
    /// `other` is empty afterwards; what was [pending](Self::reserve_handle) there is dead. Several
    /// pools that refer to each other: [`Transfer`].
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
    /// assert!(merged.cleared().is_empty()); // every reference has followed
    ///
    /// let twins = cave.copy_group(&[grik]).unwrap();
    /// let twin = twins.new_handle(grik).unwrap();
    /// assert_eq!(cave[twin].boss, cave[grik].boss); // the boss was not copied
    /// ```
    impl [T, H: Key<Kind: 'static>, B: Buffer<T>] Pool<T, H, B> => T;

    /// As [`Pool::merge`](crate::Pool::merge).
    impl [T, H: Key<Kind: 'static>] StablePool<T, H> => T;

    /// As [`Pool::merge`](crate::Pool::merge). The newcomers are the last rows, in the order that
    /// they had.
    impl [T, H: Key<Kind: 'static>] DensePool<T, H> => T;

    /// Takes everything in that is in `other`, under new handles. References among these follow;
    /// those that lead nowhere are cleared, and reported.
    ///
    /// The other world ends its frame first: who is dying there dies, and is not taken in
    /// (references to them are cleared); who was spawned or staged is born, and is taken in. Here
    /// all of them are spawned: their handles resolve at once, and walks meet them after the next
    /// [commit](Self::commit). They have new ids, as everybody who is born here. Who was
    /// [permanent](Self::make_permanent) still is.
    ///
    /// `other` is empty afterwards. A merge that is refused has ended its frame, and nothing else.
    /// Panics if `other` has no memory to commit what was staged.
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
    /// assert_eq!(loaded.cleared()[0].path, "Entity.target"); // of "lost", whose target has died
    /// assert_eq!(loaded.new_handle(missile), None);
    /// world.end_frame(); // the first one with all of them
    /// assert_eq!(world.len(), 3);
    /// assert_eq!(world[loaded.new_handle(lost).unwrap()].target, None);
    /// ```
    @copy
    ///
    /// The copies are spawned: their handles resolve at once, and walks meet them after the next
    /// [commit](Self::commit). They have ids of their own, and are neither permanent nor dying,
    /// whatever the originals are.
    impl [E, H: Key<Kind: 'static>] World<E, H> => E;
}
