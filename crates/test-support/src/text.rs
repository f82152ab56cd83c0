//! Handles as text and as bits: what is read is written again.

use tenure::{Compact, Handle, Layout, Tagged, Wide};

use crate::forge;

/// Reads handles of several layouts from any bytes, and writes them again.
///
/// # Panics
///
/// When something else comes out.
pub fn fuzz(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        read::<Wide>(text);
        read::<Compact<20>>(text);
        read::<Tagged<4, Compact<16>>>(text);
    }
    let word = bytes.iter().take(8).fold(0, |word, &byte| (word << 8) | u64::from(byte));
    write(forge::from_u64::<Wide>(word));
    write(forge::from_u64::<Compact<30>>(word));
    write(forge::from_u64::<Tagged<8, Wide>>(word));
}

fn read<L: Layout>(text: &str) {
    if let Ok(handle) = text.parse::<Handle<crate::Tracked, L>>() {
        write(handle);
    }
}

fn write<L: Layout>(handle: Handle<crate::Tracked, L>) {
    assert_eq!(handle.to_string().parse(), Ok(handle));
    assert_eq!(Handle::from_bits(handle.to_bits()), handle);
    assert_eq!(forge::from_u64(forge::to_u64(handle)), handle);
}
