//! Generational handles.
#![no_std]

extern crate alloc;

mod error;
mod handle;
mod impls;
mod layout;
mod pool;
mod slots;
mod stats;
mod status;
mod zii;

pub use self::error::{Full, GetDisjointMutError, LoanError, Rejected, Rejection};
pub use self::handle::{BuildHandleHasher, Handle, HandleHasher, ParseHandleError};
pub use self::layout::{Compact, Layout, Tagged, Wide, Word};
pub use self::pool::Loans;
pub use self::pool::Pool;
pub use self::slots::Fault;
pub use self::stats::Stats;
pub use self::status::{HandleError, Status};
pub use self::zii::ZiiPool;

/// Iterators of a [`Pool`].
pub mod iter {
    #[cfg(feature = "rayon")]
    pub use crate::impls::{ParIter, ParIterMut};
    pub use crate::pool::{
        Drain, ExtractIf, Handles, InsertMany, IntoIter, IntoValues, Iter, IterMut, Values, ValuesMut,
    };
}
