//! The owners of side maps.

use tenure::join::Maybe;
use tenure::side_map::Owner;
use tenure::{Handle, HandleError, Layout, Pool, SideMap, StablePool, Status, World, join};

use crate::pool::Tags;
use crate::saved::{self, Format};
use crate::tracked::Tracked;

/// The handles of an issuer.
pub(super) type NameIn<O> = Handle<Tracked, <O as Issuer>::Layout>;

/// A pool.
pub type InPool<L> = Pool<Tracked, Handle<Tracked, L>>;
/// A stable pool.
pub type InStable<L> = StablePool<Tracked, Handle<Tracked, L>>;
/// A world.
pub type InWorld<L> = World<Tracked, Handle<Tracked, L>>;
/// The [`Live`](tenure::Live) half of a stable pool.
pub type InHalfOfStable<L> = Half<InStable<L>>;
/// The [`Live`](tenure::Live) half of a world.
pub type InHalfOfWorld<L> = Half<InWorld<L>>;

/// A container that is split whenever a side map asks it, or joins it: its live half is the owner.
#[derive(Debug)]
pub struct Half<P>(P);

/// An owner without its type.
pub struct Asked<'a, L: Layout>(&'a dyn Owner<Handle<Tracked, L>>);

impl<L: Layout> Owner<Handle<Tracked, L>> for Asked<'_, L> {
    fn check(&self, handle: Handle<Tracked, L>) -> Result<(), HandleError> {
        self.0.check(handle)
    }
}

impl<L: Layout> std::fmt::Debug for Asked<'_, L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Asked")
    }
}

/// The items of the joins of an owner and a map.
#[derive(Debug, PartialEq, Eq)]
pub struct Joined<N> {
    pub(super) both: Vec<(N, u32)>,
    pub(super) all: Vec<(N, Option<u32>)>,
    /// Led by the map: whether the owner has a value, too.
    pub(super) led: Vec<(N, u32, bool)>,
}

/// A container that issues the handles of a side map.
pub trait Issuer: Sized {
    /// The layout of the handles.
    type Layout: Tags;

    /// An empty one.
    #[must_use]
    fn new() -> Self;

    /// Issues a handle, if there is a slot.
    fn spawn(&mut self, value: Tracked) -> Option<NameIn<Self>>;

    /// Removes a value, or marks it for despawn.
    fn kill(&mut self, name: NameIn<Self>);

    /// `insert_at`.
    fn revive(&mut self, name: NameIn<Self>, value: Tracked);

    /// `try_reserve_handle`.
    fn reserve(&mut self) -> Option<NameIn<Self>>;

    /// Removes all values.
    fn kill_all(&mut self);

    /// `recycle_retired`.
    fn recycle(&mut self);

    /// Ends the frame, if there is one.
    fn end_frame(&mut self) {}

    /// `clone_from`.
    fn set_to(&mut self, original: &Self);

    /// Saves and loads the container.
    ///
    /// # Errors
    ///
    /// The error of the format.
    fn reload(&self, format: Format) -> Result<Self, String>;

    /// The status of a handle.
    fn status(&self, name: NameIn<Self>) -> Status;

    /// The handles that iterators visit.
    fn handles(&self) -> Vec<NameIn<Self>>;

    /// The number of values.
    fn count(&self) -> usize;

    /// Passes the owner to a closure.
    fn ask<R>(&mut self, question: impl FnOnce(&Asked<'_, Self::Layout>) -> R) -> R;

    /// Joins with a map.
    fn joined(&mut self, map: &SideMap<NameIn<Self>, Tracked>) -> Joined<NameIn<Self>>;

    /// Joins with a map mutably, and changes the values of the map. Returns the new ids.
    fn change_joined(&mut self, map: &mut SideMap<NameIn<Self>, Tracked>) -> Vec<(NameIn<Self>, u32)>;
}

/// Implements `Issuer` for a container: how it is made, where it is, and what some methods are
/// called; and how the owner is borrowed.
macro_rules! issuer {
    (
        $Type:ty, new: $new:expr, inner: [$($inner:tt)*],
        methods: $spawn:ident $kill:ident $kill_all:ident $all:ident,
        |$it:ident| $owner:ident: { $($borrow:tt)* }
        $($more:tt)*
    ) => {
        impl<L: Tags> Issuer for $Type {
            type Layout = L;

            fn new() -> Self {
                $new
            }

            fn spawn(&mut self, value: Tracked) -> Option<Handle<Tracked, L>> {
                self$($inner)*.$spawn(value).ok()
            }

            fn kill(&mut self, name: Handle<Tracked, L>) {
                _ = self$($inner)*.$kill(name);
            }

            fn revive(&mut self, name: Handle<Tracked, L>, value: Tracked) {
                drop(self$($inner)*.insert_at(name, value));
            }

            fn reserve(&mut self) -> Option<Handle<Tracked, L>> {
                self$($inner)*.try_reserve_handle().ok()
            }

            fn kill_all(&mut self) {
                _ = self$($inner)*.$kill_all();
            }

            fn recycle(&mut self) {
                _ = self$($inner)*.recycle_retired();
            }

            fn set_to(&mut self, original: &Self) {
                self$($inner)*.clone_from(&original$($inner)*);
            }

            fn status(&self, name: Handle<Tracked, L>) -> Status {
                self$($inner)*.status(name)
            }

            fn handles(&self) -> Vec<Handle<Tracked, L>> {
                self$($inner)*.handles().collect()
            }

            fn count(&self) -> usize {
                self$($inner)*.$all().count()
            }

            fn ask<R>(&mut self, question: impl FnOnce(&Asked<'_, L>) -> R) -> R {
                let $it = self;
                $($borrow)*
                question(&Asked(&*$owner))
            }

            fn joined(&mut self, map: &SideMap<Handle<Tracked, L>, Tracked>) -> Joined<Handle<Tracked, L>> {
                let $it = self;
                $($borrow)*
                let all = join((&*$owner, Maybe(map)));
                let led = join((map, Maybe(&*$owner)));
                Joined {
                    both: join((&*$owner, map)).map(|(name, (_, value))| (name, value.id())).collect(),
                    all: all.map(|(name, (_, value))| (name, value.map(Tracked::id))).collect(),
                    led: led.map(|(name, (value, owned))| (name, value.id(), owned.is_some())).collect(),
                }
            }

            fn change_joined(
                &mut self,
                map: &mut SideMap<Handle<Tracked, L>, Tracked>,
            ) -> Vec<(Handle<Tracked, L>, u32)> {
                let $it = self;
                $($borrow)*
                join((&mut *$owner, map)).map(|(name, (_, value))| (name, value.change())).collect()
            }

            $($more)*
        }
    };
}

issuer! {
    InPool<L>, new: L::pool(), inner: [], methods: try_insert remove clear iter,
    |it| owner: { let owner = it; }
    fn reload(&self, format: Format) -> Result<Self, String> {
        saved::reload(self, format)
    }
}

issuer! {
    InStable<L>, new: L::stable(), inner: [], methods: try_insert remove clear iter,
    |it| owner: { let owner = it; }
    fn reload(&self, format: Format) -> Result<Self, String> {
        saved::reload(self, format)
    }
}

issuer! {
    InWorld<L>, new: L::world(), inner: [], methods: try_spawn despawn clear_all iter_all,
    |it| owner: { let owner = it; }
    fn reload(&self, format: Format) -> Result<Self, String> {
        saved::reload(self, format)
    }

    fn end_frame(&mut self) {
        _ = World::end_frame(self);
    }
}

issuer! {
    InHalfOfStable<L>, new: Half(L::stable()), inner: [.0], methods: try_insert remove clear iter,
    |it| owner: { let (mut live, _spawner) = it.0.split(); let owner = &mut live; }
    fn reload(&self, format: Format) -> Result<Self, String> {
        saved::reload(&self.0, format).map(Half)
    }
}

issuer! {
    InHalfOfWorld<L>, new: Half(L::world()), inner: [.0], methods: try_spawn despawn clear_all iter_all,
    |it| owner: { let (mut live, _spawner) = it.0.split(); let owner = &mut live; }
    fn reload(&self, format: Format) -> Result<Self, String> {
        saved::reload(&self.0, format).map(Half)
    }

    fn end_frame(&mut self) {
        _ = self.0.end_frame();
    }
}
