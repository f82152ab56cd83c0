//! The public surface that all containers share, as macros: an adapter names its container, and each group of actions
//! becomes calls of the methods with the names that the design fixes.

mod look;
mod make;
mod out;
mod put;
mod room;
mod walk;

pub(crate) use self::look::look;
pub(crate) use self::make::make;
pub(crate) use self::out::out;
pub(crate) use self::put::put;
pub(crate) use self::room::room;
pub(crate) use self::walk::walk;

use crate::fuse;
use crate::tracked::Tracked;

/// New values, made one by one by an iterator that burns the fuse.
pub(crate) fn values(ids: &[u32]) -> impl ExactSizeIterator<Item = Tracked> + '_ {
    ids.iter().map(|&id| {
        fuse::burn();
        Tracked::new(id)
    })
}

/// The id of a value that came back. The value is dropped.
pub(crate) fn id_of(value: &Tracked) -> u32 {
    value.id()
}

/// The ids of values, collected without counting as the container's allocations.
pub(crate) fn collect<T>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut list = Vec::new();
    for item in items {
        crate::path::keep(&mut list, item);
    }
    list
}
