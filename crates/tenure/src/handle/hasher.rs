//! A fast hasher for maps keyed by handles.

use core::hash::{BuildHasherDefault, Hasher};

/// Builds [`HandleHasher`]s: the third parameter of a `HashMap` keyed by handles.
///
/// For side data that few values have. Cheaper than the standard hasher, and the same in every run.
///
/// ```
/// use std::collections::HashMap;
/// use tenure::{BuildHandleHasher, Handle, Pool};
///
/// let mut pool = Pool::new();
/// let goblin = pool.insert("goblin");
///
/// let mut carries: HashMap<Handle<&str>, &str, BuildHandleHasher> = HashMap::default();
/// carries.insert(goblin, "jar");
/// assert_eq!(carries[&goblin], "jar");
/// ```
pub type BuildHandleHasher = BuildHasherDefault<HandleHasher>;

/// A hasher with one multiplication per handle.
///
/// Not for keys that an attacker chooses: it has no secret. Designed for handles; other keys are
/// hashed byte by byte.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandleHasher {
    state: u64,
}

/// An odd number with well-spread bits: 2⁶⁴ divided by the golden ratio.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

impl Hasher for HandleHasher {
    /// Folds both halves of the full product: every bit of a handle affects the low bits (the
    /// bucket) and the high bits (the tag) of the hash.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the two halves of a product")]
    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.state ^ word) * u128::from(SPREAD);
        self.state = (product as u64) ^ (product >> 64) as u64;
    }

    #[inline]
    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.state
    }
}
