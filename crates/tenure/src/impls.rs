//! Integrations, one file per foreign crate. The feature has the crate's name.

#[cfg(feature = "bytemuck")]
mod bytemuck;
#[cfg(feature = "rayon")]
mod rayon;

#[cfg(feature = "serde")]
mod serde;

#[cfg(feature = "rayon")]
pub use self::rayon::{DenseParIter, DenseParIterMut, ParIter, ParIterMut};
