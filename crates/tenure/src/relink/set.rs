//! Handles in sets of any crate: for a field, `#[relink(with = tenure::relink::set)]`. See
//! [`map`](super::map).
//!
//! An element with a handle that does not resolve is removed, which is reported.

use core::fmt::Debug;

use super::{Relink, Relinker, Visitor};

/// Visits the handles in the elements.
pub fn visit<S, T>(set: &S, visitor: &mut Visitor<'_>)
where
    for<'a> &'a S: IntoIterator<Item = &'a T>,
    T: Relink + Debug,
{
    for element in set {
        element.visit(&mut visitor.at_key(element));
    }
}

/// Changes the handles in the elements.
pub fn relink<S, T>(set: &mut S, relinker: &mut Relinker<'_>)
where
    S: Default + IntoIterator<Item = T> + Extend<T>,
    for<'a> &'a S: IntoIterator<Item = &'a T>,
    T: Relink + Debug,
{
    let has_other_elements = (&*set).into_iter().any(|element| relinker.changes(element));
    if has_other_elements {
        for mut element in core::mem::take(set) {
            if relinker.key(&mut element) {
                set.extend([element]);
            }
        }
    }
}
