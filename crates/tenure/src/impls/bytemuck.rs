//! Handles as bytes, in the byte order of the machine: into GPU buffers and snapshots, and back
//! with a check.
#![expect(unsafe_code, reason = "implements bytemuck's unsafe marker traits")]

use bytemuck::{CheckedBitPattern, NoUninit, ZeroableInOption};

use crate::handle::Handle;
use crate::layout::Layout;

// Not `Pod` and not `PodInOption`: all bit patterns would then be handles, including those with an
// even generation, which would match a vacant slot.

// SAFETY: `NoUninit` requires a type without padding. A handle is one integer: `repr(transparent)`
// over `NonZero<u64>` or `NonZero<u32>`. It only allows reading, so H1 and H2 cannot be violated.
unsafe impl<K: ?Sized + 'static, L: Layout> NoUninit for Handle<K, L> {}

// SAFETY: `ZeroableInOption` requires that `None` is all zero bytes. By H1 no handle is zero, and a
// handle is `repr(transparent)` over `NonZero<_>`, whose `Option` is all zero when it is `None`.
unsafe impl<K: ?Sized + 'static, L: Layout> ZeroableInOption for Handle<K, L> {}

// SAFETY: `Bits` is `u64` or `u32`, which have the size of the handle and accept all bit patterns.
// Accepted is only an integer that the handle's own constructor does not change, so it is not zero
// and upholds H1 and H2.
unsafe impl<K: ?Sized + 'static, L: Layout> CheckedBitPattern for Handle<K, L> {
    type Bits = L::Bits;

    fn is_valid_bit_pattern(bits: &L::Bits) -> bool {
        Self::is_valid_word(*bits)
    }
}
