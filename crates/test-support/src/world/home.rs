//! The two containers that can be split.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use tenure::{EntityId, Fault, Full, Handle, Layout, Live, Rejected, Spawner, StablePool, Status, World};

use super::{Frames, Name, WorldOp};
use crate::pool::Tags;
use crate::tracked::Tracked;

/// A world under test.
pub type TrackedWorld<L> = World<Tracked, Handle<Tracked, L>>;
/// A stable pool under test.
pub type TrackedPool<L> = StablePool<Tracked, Handle<Tracked, L>>;

/// A handle of a container under test.
pub type HandleOf<C> = Handle<Tracked, <C as Home>::Layout>;
/// The halves of a split.
pub type Split<'a, H> = (Live<'a, Tracked, H>, Spawner<'a, Tracked, H>);

/// A container that can be split. The methods are those of a world.
#[expect(missing_docs, clippy::missing_errors_doc, reason = "see the methods of `World`")]
pub trait Home: Clone + PartialEq + Debug + Serialize + DeserializeOwned + 'static {
    type Layout: Layout;

    /// Whether spawns and despawns take effect when a frame ends. Otherwise they do at the end of
    /// each operation.
    const HAS_FRAMES: bool;

    fn empty() -> Self;
    fn split(&mut self) -> Split<'_, HandleOf<Self>>;
    fn try_spawn(&self, value: Tracked) -> Result<HandleOf<Self>, Full<Tracked>>;
    fn try_reserve_handle(&self) -> Result<HandleOf<Self>, Full<()>>;
    fn fill(&self, handle: HandleOf<Self>, value: Tracked) -> Result<(), Rejected<Tracked>>;
    fn insert_at(&mut self, handle: HandleOf<Self>, value: Tracked) -> Result<Option<Tracked>, Rejected<Tracked>>;
    fn take(&mut self, handle: HandleOf<Self>) -> Option<Tracked>;
    fn discard(&mut self, handle: HandleOf<Self>) -> bool;
    fn get(&self, handle: HandleOf<Self>) -> Option<&Tracked>;
    fn status(&self, handle: HandleOf<Self>) -> Status;
    fn validate(&self) -> Result<(), Fault>;

    /// `handles`.
    fn committed(&self) -> Vec<HandleOf<Self>>;
    /// `pending_handles`.
    fn pending(&self) -> Vec<HandleOf<Self>>;
    /// `iter_all`.
    fn all(&self) -> Vec<(HandleOf<Self>, u32)>;
    /// Applies what a panic has interrupted.
    fn settle(&mut self);
    /// Removes the first value, and ends the frame.
    fn change(&mut self);

    fn id_of(&self, handle: HandleOf<Self>) -> Option<EntityId>;
    fn by_id(&self, id: EntityId) -> Option<HandleOf<Self>>;
    fn is_permanent(&self, handle: HandleOf<Self>) -> bool;

    /// Runs an operation that is not about a split.
    ///
    /// # Errors
    ///
    /// The fault.
    fn apply(frames: &mut Frames<Self>, op: WorldOp) -> Result<(), String>;

    /// Passes a handle that does not resolve to every method of the container that takes one.
    ///
    /// # Errors
    ///
    /// The fault.
    fn forge(frames: &mut Frames<Self>, forged: HandleOf<Self>) -> Result<(), String>;
}

/// What both containers have. A method of the container comes before that of the trait.
macro_rules! shared {
    ($empty:ident, $try_spawn:ident, $iter:ident) => {
        type Layout = L;

        fn empty() -> Self {
            L::$empty()
        }

        fn split(&mut self) -> Split<'_, Name<L>> {
            self.split()
        }

        fn try_spawn(&self, value: Tracked) -> Result<Name<L>, Full<Tracked>> {
            self.$try_spawn(value)
        }

        fn try_reserve_handle(&self) -> Result<Name<L>, Full<()>> {
            self.try_reserve_handle()
        }

        fn fill(&self, handle: Name<L>, value: Tracked) -> Result<(), Rejected<Tracked>> {
            self.fill(handle, value)
        }

        fn insert_at(&mut self, handle: Name<L>, value: Tracked) -> Result<Option<Tracked>, Rejected<Tracked>> {
            self.insert_at(handle, value)
        }

        fn take(&mut self, handle: Name<L>) -> Option<Tracked> {
            self.take(handle)
        }

        fn discard(&mut self, handle: Name<L>) -> bool {
            self.discard(handle)
        }

        fn get(&self, handle: Name<L>) -> Option<&Tracked> {
            self.get(handle)
        }

        fn status(&self, handle: Name<L>) -> Status {
            self.status(handle)
        }

        fn validate(&self) -> Result<(), Fault> {
            self.validate()
        }

        fn committed(&self) -> Vec<Name<L>> {
            self.handles().collect()
        }

        fn pending(&self) -> Vec<Name<L>> {
            self.pending_handles().collect()
        }

        fn all(&self) -> Vec<(Name<L>, u32)> {
            self.$iter().map(|(handle, value)| (handle, value.id())).collect()
        }
    };
}

impl<L: Tags> Home for TrackedWorld<L> {
    const HAS_FRAMES: bool = true;

    shared!(world, try_spawn, iter_all);

    fn settle(&mut self) {}

    fn change(&mut self) {
        let first = self.iter_all().map(|(handle, _)| handle).next();
        self.discard(first.unwrap_or_default());
        self.end_frame();
    }

    fn id_of(&self, handle: Name<L>) -> Option<EntityId> {
        self.id_of(handle)
    }

    fn by_id(&self, id: EntityId) -> Option<Name<L>> {
        self.by_id(id)
    }

    fn is_permanent(&self, handle: Name<L>) -> bool {
        self.is_permanent(handle)
    }

    fn apply(frames: &mut Frames<Self>, op: WorldOp) -> Result<(), String> {
        frames.apply_in_frame(op)
    }

    fn forge(frames: &mut Frames<Self>, forged: Name<L>) -> Result<(), String> {
        frames.use_in_world(forged)
    }
}

/// The other operations are those of [`StableSubject`](crate::stable::StableSubject).
impl<L: Tags> Home for TrackedPool<L> {
    const HAS_FRAMES: bool = false;

    shared!(stable, try_insert, iter);

    /// The first exclusive use ends a split.
    fn settle(&mut self) {
        let _ = self.get_mut(Handle::NIL);
    }

    fn change(&mut self) {
        let first = self.handles().next();
        self.discard(first.unwrap_or_default());
    }

    fn id_of(&self, _: Name<L>) -> Option<EntityId> {
        None
    }

    fn by_id(&self, _: EntityId) -> Option<Name<L>> {
        None
    }

    fn is_permanent(&self, _: Name<L>) -> bool {
        false
    }

    fn apply(_: &mut Frames<Self>, _: WorldOp) -> Result<(), String> {
        Ok(())
    }

    fn forge(_: &mut Frames<Self>, _: Name<L>) -> Result<(), String> {
        Ok(())
    }
}
