//! The bytes of a handle in memory.
#![expect(unsafe_code, reason = "reads a word of memory as bytes")]

use tenure::{Handle, Layout};

/// The bytes of an optional handle.
#[must_use]
pub fn of_option<K: ?Sized, L: Layout>(handle: Option<Handle<K, L>>) -> Vec<u8> {
    let start = (&raw const handle).cast::<u8>();
    let size = size_of_val(&handle);
    // SAFETY: a handle is one `NonZero` word without padding, and `Option` of it uses the same
    // bytes: all of them are initialised. The slice does not outlive `handle`.
    unsafe { std::slice::from_raw_parts(start, size) }.to_vec()
}
