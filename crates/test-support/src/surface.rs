//! The public methods that all containers share, as macros: an adapter names its container, and
//! each group of actions expands to calls of the methods with the names that the design fixes.

mod iterate;
mod look;
mod make;
mod out;
mod put;
mod room;
mod rows;
mod see;
mod unchecked;

pub(crate) use self::iterate::iterate;
pub(crate) use self::look::{look, look_up};
pub(crate) use self::make::{gather, make};
pub(crate) use self::out::{discard, discard_known, drain, leave_rows, out, out_of_rows, take_out};
pub(crate) use self::put::{put, try_with_handle, with_handle};
pub(crate) use self::room::{fixed_room, room, shrink_to, slot_room};
pub(crate) use self::rows::{Rank, listened, rearrange, rows_agree, side_data};
pub(crate) use self::see::see;
pub(crate) use self::unchecked::agrees;

use std::borrow::Borrow;
use std::iter::FusedIterator;
use std::mem::ManuallyDrop;
use std::sync::{Mutex, PoisonError};

use tenure::{Handle, Layout};

use crate::action::Many;
use crate::answer::{Answer, Item};
use crate::name::Name;
use crate::path::{Consumed, OneWay, Path, consume};
use crate::tracked::Tracked;
use crate::value::{Changing, Shown, Value};
use crate::{alloc, fuse};

/// A new value.
pub(crate) fn value<V: Value>(id: u32) -> V {
    V::new(id)
}

/// New values, made one by one by an iterator that burns the fuse.
pub(crate) fn values<V: Value>(ids: &[u32]) -> impl ExactSizeIterator<Item = V> + '_ {
    ids.iter().map(|&id| {
        fuse::burn();
        V::new(id)
    })
}

/// The id of a value, or of a view of one.
pub(crate) fn id_of(value: &impl Shown) -> u32 {
    value.id()
}

/// Swaps two values.
pub(crate) fn exchange<V: Changing>(one: &mut V, other: &mut V) {
    one.exchange(other);
}

// As functions, so that iterators from different methods are mapped to the same type, and compiled
// once.

/// A handle and its value as an item.
pub(crate) fn shown<L: Layout, V: Shown>((name, value): (Handle<Tracked, L>, V)) -> Item {
    (Some(name.into()), Some(value.id()))
}

/// Like [`shown`], and mutates the value.
pub(crate) fn shown_changed<L: Layout, V: Changing>((name, value): (Handle<Tracked, L>, V)) -> Item {
    (Some(name.into()), Some(value.change()))
}

/// A value as an item.
pub(crate) fn shown_value<V: Shown>(value: V) -> Item {
    (None, Some(value.id()))
}

/// Like [`shown_value`], and mutates the value.
pub(crate) fn changed_value<V: Changing>(value: V) -> Item {
    (None, Some(value.change()))
}

/// A handle as an item. Some containers yield references to handles.
pub(crate) fn named<L: Layout>(name: impl Borrow<Handle<Tracked, L>>) -> Item {
    (Some((*name.borrow()).into()), None)
}

/// The handles of three names. (`map` of an array would be compiled for every container.)
pub(crate) fn handles<L: Layout>([first, second, third]: &[Name; 3]) -> [Handle<Tracked, L>; 3] {
    [first.handle(), second.handle(), third.handle()]
}

/// Like `mem::forget`, and keeps the address: a forgotten value may own memory, which a leak
/// sanitizer would report.
pub(crate) fn forget<T>(value: T) {
    static FORGOTTEN: Mutex<Vec<usize>> = Mutex::new(Vec::new());
    alloc::pause(|| {
        let kept = Box::leak(Box::new(ManuallyDrop::new(value)));
        FORGOTTEN.lock().unwrap_or_else(PoisonError::into_inner).push((&raw const *kept).expose_provenance());
    });
}

/// `insert_many` or `extend`, for a container that does not have it.
pub(crate) fn one_by_one(
    ids: &[u32],
    how: Option<Many>,
    insert: &mut dyn FnMut(Tracked) -> Result<Name, Tracked>,
) -> Answer {
    let (mut names, mut back) = (Vec::new(), Vec::new());
    for value in values(ids) {
        match insert(value) {
            Ok(name) => crate::path::keep(&mut names, name),
            Err(value) => crate::path::keep(&mut back, value.id()),
        }
    }
    match how {
        None if !back.is_empty() => panic!("the container is full"),
        None => names.clear(),
        Some(Many::Collect) => back.clear(),
        Some(Many::DropAfter(count)) => {
            names.truncate(count);
            back.clear();
        }
        Some(Many::FinishAfter(count)) => names.truncate(count),
    }
    Answer::Many { names, back }
}

// Destructors may panic, and then the compiler leaks a return value that exists already. So every
// value with a destructor of ours is dropped explicitly before an answer is made.

/// Consumes an iterator along a path. The iterator is dropped.
pub(crate) fn taken<I>(items: I, path: Path) -> Result<Vec<I::Item>, String>
where
    I: DoubleEndedIterator + ExactSizeIterator + FusedIterator,
{
    let (taken, rest) = consume(items, path)?;
    drop(rest);
    Ok(taken)
}

/// Like [`consume`], for an iterator that is not double-ended.
pub(crate) fn consume_forward<I>(items: I, path: Path) -> Result<Consumed<OneWay<I>>, String>
where
    I: ExactSizeIterator + FusedIterator,
{
    consume(OneWay(items), path.forward())
}

/// Like [`taken`], for an iterator that is not double-ended: the path determines where `fold`
/// begins, and which items are returned. Checks `size_hint` before every step.
pub(crate) fn roamed<I: FusedIterator>(mut items: I, path: Path) -> Result<Vec<I::Item>, String> {
    let (head, folds) = match path {
        Path::Fold { front, .. } | Path::Rfold { front, .. } => (front, true),
        _ => (usize::MAX, false),
    };
    let (mut all, mut hints) = (Vec::new(), Vec::new());
    let mut is_exhausted = false;
    while all.len() < head && !is_exhausted {
        crate::path::keep(&mut hints, items.size_hint());
        match items.next() {
            Some(item) => crate::path::keep(&mut all, item),
            None => is_exhausted = true,
        }
    }
    if is_exhausted && items.next().is_some() {
        return Err("an exhausted iterator yields an item".into());
    }
    if folds {
        crate::path::keep(&mut hints, items.size_hint());
        all = items.fold(all, |mut all, item| {
            crate::path::keep(&mut all, item);
            all
        });
    }
    for (yielded, (least, most)) in hints.into_iter().enumerate() {
        let left = all.len().saturating_sub(yielded);
        if least > left || most.is_some_and(|most| most < left) {
            return Err(format!("size_hint says {least} to {most:?}, and {left} items are left"));
        }
    }
    taken(all.into_iter(), path)
}

/// Handles and ids of values that were removed.
pub(crate) fn list<L: Layout>(items: &[(Handle<Tracked, L>, impl Shown)]) -> Vec<Item> {
    collect(items.iter().map(|(name, value)| (Some((*name).into()), Some(value.id()))))
}

/// The ids of values, collected in memory that does not count as the container's.
pub(crate) fn collect<T>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut list = Vec::new();
    for item in items {
        crate::path::keep(&mut list, item);
    }
    list
}
