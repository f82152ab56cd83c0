//! The rig: one body of tests for every container.
//!
//! A container is a [`Subject`]: it turns an [`Action`] into an [`Answer`]. The [`Model`] predicts
//! the answer, the [`Run`] turns abstract [`Op`]s into actions, and everything else (exhaustive
//! search, random histories, panics, refused memory, forged handles, fuzzing) is a way to choose
//! the operations. A new container implements [`Adapter`].
//!
//! Only the adapters depend on the type of the container and on its layout. The rest uses a `dyn
//! Subject` and a [`Name`], and is compiled once.
//!
//! ```text
//! bytes ──decode──▶ Op ──resolve──▶ Action ──Subject::apply──▶ Answer ──Model::judge──▶ Ok or Err(what is wrong)
//! ```

pub mod action;
pub mod alloc;
pub mod answer;
pub mod bytes;
pub mod decode;
pub mod dense;
pub mod effort;
pub mod exhaustive;
pub mod fixed;
pub mod forge;
pub mod frugal;
pub mod fuse;
pub mod fuzz;
pub mod hostile;
pub mod hunger;
pub mod injection;
pub mod ledger;
pub mod lying;
pub mod model;
pub mod mutants;
pub mod name;
pub mod nested;
pub mod op;
pub mod path;
mod places;
pub mod pool;
pub mod quiet;
pub mod reentry;
pub mod refused;
pub mod resolve;
pub mod rig;
pub mod run;
pub mod saved;
pub mod side;
pub mod small;
pub mod snapshot;
pub mod stable;
pub mod subject;
mod surface;
pub mod table;
pub mod text;
pub mod tracked;
mod value;
pub mod world;

pub use self::action::Action;
pub use self::answer::Answer;
pub use self::model::Model;
pub use self::name::Name;
pub use self::op::{Op, Pick};
pub use self::pool::PoolSubject;
pub use self::rig::{ALL, Rig};
pub use self::run::{Run, run, run_with_twin};
pub use self::subject::{Adapter, Subject};
pub use self::tracked::Tracked;
