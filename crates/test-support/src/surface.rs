//! The public surface that all containers share, as macros: an adapter names its container, and each group of actions
//! becomes calls of the methods with the names that the design fixes.

mod look;
mod make;
mod out;
mod put;
mod room;
mod see;
mod walk;

pub(crate) use self::look::look;
pub(crate) use self::make::make;
pub(crate) use self::out::out;
pub(crate) use self::put::put;
pub(crate) use self::room::{fixed_room, room};
pub(crate) use self::see::see;
pub(crate) use self::walk::walk;

use std::iter::FusedIterator;

use tenure::Layout;

use crate::answer::Item;
use crate::fuse;
use crate::path::{Path, consume};
use crate::subject::Name;
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

// Destructors may panic, and then the compiler leaks a return value that is made already. So everything that has a
// destructor of ours is dropped by name before an answer is made.

/// What an iterator gives along a path. The iterator is dropped.
pub(crate) fn taken<I>(items: I, path: Path) -> Result<Vec<I::Item>, String>
where
    I: DoubleEndedIterator + ExactSizeIterator + FusedIterator,
{
    let (taken, rest) = consume(items, path)?;
    drop(rest);
    Ok(taken)
}

/// As [`taken`], for an iterator that only goes forward: the path says where `fold` begins, and what is given.
pub(crate) fn roamed<I: FusedIterator>(mut items: I, path: Path) -> Result<Vec<I::Item>, String> {
    let (head, folds) = match path {
        Path::Fold { front, .. } | Path::Rfold { front, .. } => (front, true),
        Path::Part { front, .. } => (front, false),
        _ => (usize::MAX, false),
    };
    let mut all = collect(items.by_ref().take(head));
    if folds {
        all = items.fold(all, |mut all, item| {
            crate::path::keep(&mut all, item);
            all
        });
    } else {
        // Not `for_each`, which folds.
        for item in items.by_ref() {
            crate::path::keep(&mut all, item);
        }
        if items.next().is_some() {
            return Err("an exhausted iterator gives an item".into());
        }
    }
    taken(all.into_iter(), path)
}

/// Handles and ids of values that were taken out.
pub(crate) fn list<L: Layout>(items: &[(Name<L>, Tracked)]) -> Vec<Item<L>> {
    collect(items.iter().map(|(name, value)| (Some(*name), Some(value.id()))))
}

/// The ids of values, collected without counting as the container's allocations.
pub(crate) fn collect<T>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut list = Vec::new();
    for item in items {
        crate::path::keep(&mut list, item);
    }
    list
}
