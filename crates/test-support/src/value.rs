//! The values of the rig: a [`Tracked`], or a row with one in it; and the views of it that
//! containers return.

use crate::tracked::Tracked;

/// A whole value.
pub(crate) trait Value: Shown {
    /// With this id.
    fn new(id: u32) -> Self;
}

/// A value, or a view of one.
pub(crate) trait Shown {
    /// The value's id. Reading a dropped value, or a torn row, is recorded as a fault.
    fn id(&self) -> u32;
}

/// A view through which a value can be mutated.
pub(crate) trait Changing: Shown {
    /// Like [`Tracked::change`].
    fn change(self) -> u32;

    /// Swaps two values.
    fn exchange(&mut self, other: &mut Self);
}

impl Value for Tracked {
    fn new(id: u32) -> Self {
        Self::new(id)
    }
}

impl Shown for Tracked {
    fn id(&self) -> u32 {
        self.id()
    }
}

impl Changing for &mut Tracked {
    fn change(self) -> u32 {
        Tracked::change(self)
    }

    fn exchange(&mut self, other: &mut Self) {
        std::mem::swap(*self, *other);
    }
}

impl<T: Shown> Shown for &T {
    fn id(&self) -> u32 {
        (**self).id()
    }
}

impl<T: Shown> Shown for &mut T {
    fn id(&self) -> u32 {
        (**self).id()
    }
}
