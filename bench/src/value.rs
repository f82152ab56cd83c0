//! Plain values of four sizes: what the containers hold.

/// A value that can be made from a number and read back as one.
pub trait Value: Clone + Send + Sync + 'static {
    fn new(seed: usize) -> Self;
    /// The number that walks and look-ups add up, so that the value is really read.
    fn key(&self) -> u64;
    /// A small change, for mutable walks.
    fn bump(&mut self);
}

impl Value for u32 {
    #[inline]
    fn new(seed: usize) -> Self {
        seed as u32
    }
    #[inline]
    fn key(&self) -> u64 {
        u64::from(*self)
    }
    #[inline]
    fn bump(&mut self) {
        *self = self.wrapping_add(1);
    }
}

impl Value for u64 {
    #[inline]
    fn new(seed: usize) -> Self {
        seed as u64
    }
    #[inline]
    fn key(&self) -> u64 {
        *self
    }
    #[inline]
    fn bump(&mut self) {
        *self = self.wrapping_add(1);
    }
}

/// Arrays: the first word is the key, as the first field of a struct would be.
impl<W: Value + Copy, const N: usize> Value for [W; N] {
    #[inline]
    fn new(seed: usize) -> Self {
        [W::new(seed); N]
    }
    #[inline]
    fn key(&self) -> u64 {
        self[0].key()
    }
    #[inline]
    fn bump(&mut self) {
        self[0].bump();
    }
}

pub type Bytes4 = u32;
pub type Bytes8 = u64;
pub type Bytes24 = [u64; 3];
pub type Bytes64 = [u32; 16];
/// Beyond what fits into a few cache lines: moved with care, and mostly skipped by iterators.
pub type Bytes256 = [u64; 32];
pub type Bytes640 = [u64; 80];

/// 64 bytes that fill a line of the cache. Its slot has 128: the mark needs a line of its own.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct Aligned64(Bytes64);

impl Value for Aligned64 {
    #[inline]
    fn new(seed: usize) -> Self {
        Self(Bytes64::new(seed))
    }
    #[inline]
    fn key(&self) -> u64 {
        self.0.key()
    }
    #[inline]
    fn bump(&mut self) {
        self.0.bump();
    }
}

/// A value with a destructor, for the cell that drops containers: without one there is nothing to
/// do but to free memory.
#[derive(Clone)]
pub struct Mortal<T: Value>(T);

impl<T: Value> Value for Mortal<T> {
    fn new(seed: usize) -> Self {
        Self(T::new(seed))
    }
    fn key(&self) -> u64 {
        self.0.key()
    }
    fn bump(&mut self) {
        self.0.bump();
    }
}

impl<T: Value> Drop for Mortal<T> {
    #[inline]
    fn drop(&mut self) {
        std::hint::black_box(self.0.key());
    }
}
