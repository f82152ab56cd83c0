//! The values in the containers: plain values of four sizes, and two special ones.

/// A value that can be created from a number and read as a number.
pub trait Value: Clone + Send + Sync + 'static {
    fn new(seed: usize) -> Self;
    /// Returns the number that iterations and lookups add up, so that the value is read.
    fn key(&self) -> u64;
    /// Changes the value, for mutable iteration.
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

/// The key of an array is its first word, like the first field of a struct.
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

/// 64 bytes that fill a cache line. Its slot has 128 bytes: the mark needs a second line.
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

/// A value with a destructor, for the operation that drops containers. Without destructors, a drop
/// only frees memory.
#[derive(Clone)]
pub struct WithDrop<T: Value>(T);

impl<T: Value> Value for WithDrop<T> {
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

impl<T: Value> Drop for WithDrop<T> {
    #[inline]
    fn drop(&mut self) {
        std::hint::black_box(self.0.key());
    }
}
