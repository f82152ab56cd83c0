//! What the rig puts into containers: a [`Tracked`], or a row with one in it; and the views of it
//! that containers give.

use crate::tracked::Tracked;

/// A whole value.
pub(crate) trait Value: Shown {
    /// With this id.
    fn new(id: u32) -> Self;
}

/// A value, or a view of one.
pub(crate) trait Shown {
    /// The value's id. Reading a dead value, or one that is torn apart, is a fault.
    fn id(&self) -> u32;
}

/// A view through which a value can be changed.
pub(crate) trait Changing: Shown {
    /// As [`Tracked::change`].
    fn change(self) -> u32;

    /// The two values change places.
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
