//! Ways to consume an iterator.

use std::iter::FusedIterator;

use crate::alloc;

/// The order in which an iterator is consumed, and how far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// `next` to the end.
    Forward,
    /// `next_back` to the end.
    Backward,
    /// From both ends: bit `i % 8` selects the end of item `i`.
    Zigzag(u8),
    /// A few from both ends, then `fold`.
    Fold {
        /// How many with `next`.
        front: usize,
        /// How many with `next_back`.
        back: usize,
    },
    /// A few from both ends, then `rfold`.
    Rfold {
        /// How many with `next`.
        front: usize,
        /// How many with `next_back`.
        back: usize,
    },
    /// A few from both ends, and no more.
    Part {
        /// How many with `next`.
        front: usize,
        /// How many with `next_back`.
        back: usize,
    },
}

impl Path {
    /// The same path for an iterator that is not double-ended.
    #[must_use]
    pub const fn forward(self) -> Self {
        match self {
            Self::Fold { front, .. } | Self::Rfold { front, .. } => Self::Fold { front, back: 0 },
            Self::Part { front, .. } => Self::Part { front, back: 0 },
            Self::Forward | Self::Backward | Self::Zigzag(_) => Self::Forward,
        }
    }
}

/// An iterator that is not double-ended, on a path that only goes [forward](Path::forward). Its
/// `next_back` may be called only when it is exhausted.
#[derive(Debug)]
pub struct OneWay<I>(pub I);

impl<I: Iterator> Iterator for OneWay<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    fn fold<A, F: FnMut(A, I::Item) -> A>(self, acc: A, step: F) -> A {
        self.0.fold(acc, step)
    }
}

impl<I: Iterator> DoubleEndedIterator for OneWay<I> {
    fn next_back(&mut self) -> Option<I::Item> {
        self.0.next()
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for OneWay<I> {
    fn len(&self) -> usize {
        self.0.len()
    }
}

impl<I: FusedIterator> FusedIterator for OneWay<I> {}

/// The items of an iterator, in their order, and the iterator itself unless `fold` consumed it.
pub type Consumed<I> = (Vec<<I as Iterator>::Item>, Option<I>);

/// Consumes an iterator. Checks the length before every step, and that an exhausted iterator stays
/// exhausted.
///
/// # Errors
///
/// A length that differs from the number of items left.
pub fn consume<I>(items: I, path: Path) -> Result<Consumed<I>, String>
where
    I: DoubleEndedIterator + ExactSizeIterator + FusedIterator,
{
    let mut source = Source(Some(items));
    let taken = follow(&mut source, path)?;
    Ok((taken, source.0))
}

fn follow<T>(items: &mut dyn Steps<T>, path: Path) -> Result<Vec<T>, String> {
    let mut taken = Vec::new();
    match path {
        Path::Forward => step(items, &mut taken, usize::MAX, |_, _| true, 0)?,
        Path::Backward => step(items, &mut taken, usize::MAX, |_, _| false, 0)?,
        Path::Zigzag(bits) => step(items, &mut taken, usize::MAX, |i, bits| bits >> (i % 8) & 1 == 0, bits)?,
        Path::Part { front, back } | Path::Fold { front, back } | Path::Rfold { front, back } => {
            step(items, &mut taken, front, |_, _| true, 0)?;
            step(items, &mut taken, back, |_, _| false, 0)?;
        }
    }
    let expected = taken.len() + items.left().0;
    match path {
        Path::Fold { .. } => items.fold(&mut taken),
        Path::Rfold { .. } => items.rfold(&mut taken),
        _ => return Ok(taken),
    }
    if taken.len() == expected {
        Ok(taken)
    } else {
        Err(format!("{expected} items were announced, {} were yielded", taken.len()))
    }
}

/// An iterator as a trait object, so that [`follow`] is compiled once for all iterators with the
/// same items.
trait Steps<T> {
    fn left(&self) -> (usize, (usize, Option<usize>));
    fn front(&mut self) -> Option<T>;
    fn back(&mut self) -> Option<T>;
    fn fold(&mut self, taken: &mut Vec<T>);
    fn rfold(&mut self, taken: &mut Vec<T>);
}

/// An iterator, until `fold` consumes it.
struct Source<I>(Option<I>);

impl<I: DoubleEndedIterator + ExactSizeIterator> Steps<I::Item> for Source<I> {
    fn left(&self) -> (usize, (usize, Option<usize>)) {
        self.0.as_ref().map_or((0, (0, Some(0))), |items| (items.len(), items.size_hint()))
    }

    fn front(&mut self) -> Option<I::Item> {
        self.0.as_mut()?.next()
    }

    fn back(&mut self) -> Option<I::Item> {
        self.0.as_mut()?.next_back()
    }

    fn fold(&mut self, taken: &mut Vec<I::Item>) {
        if let Some(items) = self.0.take() {
            items.fold((), |(), item| keep(taken, item));
        }
    }

    fn rfold(&mut self, taken: &mut Vec<I::Item>) {
        if let Some(items) = self.0.take() {
            items.rfold((), |(), item| keep(taken, item));
        }
    }
}

fn step<T>(
    items: &mut dyn Steps<T>,
    taken: &mut Vec<T>,
    limit: usize,
    forward: fn(usize, u8) -> bool,
    bits: u8,
) -> Result<(), String> {
    for nth in 0..limit {
        let (left, hint) = items.left();
        if hint != (left, Some(left)) {
            return Err(format!("size_hint says {hint:?}, len says {left}"));
        }
        let item = if forward(nth, bits) { items.front() } else { items.back() };
        match item {
            Some(item) if left > 0 => keep(taken, item),
            None if left == 0 => return stays_exhausted(items),
            Some(_) => return Err("an item was yielded, and none was announced".into()),
            None => return Err(format!("{left} items were announced, and none was yielded")),
        }
    }
    Ok(())
}

fn stays_exhausted<T>(items: &mut dyn Steps<T>) -> Result<(), String> {
    let again = items.front().is_some() || items.back().is_some();
    if again { Err("an exhausted iterator yields an item".into()) } else { Ok(()) }
}

/// The rig's own memory is neither refused nor counted.
pub(crate) fn keep<T>(list: &mut Vec<T>, item: T) {
    alloc::pause(|| list.push(item));
}
