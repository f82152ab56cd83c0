//! Handles as bytes, in the byte order of the machine: into GPU buffers and snapshots, and back
//! with a check.
#![expect(unsafe_code, reason = "implements bytemuck's unsafe marker traits")]

use bytemuck::{CheckedBitPattern, NoUninit, ZeroableInOption};

use crate::handle::Handle;
use crate::layout::Layout;

// Not `Pod` and not `PodInOption`: any bits would then be a handle, also those with an even
// generation, which would match a vacant slot.

// SAFETY: H1 and H2 are not at stake. A handle is one word, without padding: `repr(transparent)`
// over `NonZero<u64>` or `NonZero<u32>`.
unsafe impl<K: ?Sized + 'static, L: Layout> NoUninit for Handle<K, L> {}

// SAFETY: H1, no handle is zero. `Option<NonZero<_>>` is all zero when `None`, and a handle is
// `repr(transparent)` over it.
unsafe impl<K: ?Sized + 'static, L: Layout> ZeroableInOption for Handle<K, L> {}

// SAFETY: `Bits` is `u64` or `u32`, which have the size of the handle and take any bits. What is
// accepted is a word that the handle's own constructor keeps as it is, so it is not zero and
// upholds H1 and H2.
unsafe impl<K: ?Sized + 'static, L: Layout> CheckedBitPattern for Handle<K, L> {
    type Bits = L::Bits;

    fn is_valid_bit_pattern(bits: &L::Bits) -> bool {
        Self::is_valid_word(*bits)
    }
}
