//! Handles as text and as bits: parsing and formatting round-trip.

use tenure::{Compact, Handle, Layout, Tagged, Wide};

use crate::Tracked;
use crate::name::{Name, Shape};

/// Parses handles of several layouts from any bytes, and formats them again.
///
/// # Panics
///
/// If the result differs.
pub fn fuzz(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        read::<Wide>(text);
        read::<Compact<20>>(text);
        read::<Tagged<4, Compact<16>>>(text);
    }
    let word = bytes.iter().take(8).fold(0, |word, &byte| (word << 8) | u64::from(byte));
    write(from_word::<Wide>(word));
    write(from_word::<Compact<30>>(word));
    write(from_word::<Tagged<8, Wide>>(word));
}

/// Decodes the bits by the rig's own code, and compares with the library's.
fn from_word<L: Layout>(word: u64) -> Handle<Tracked, L> {
    let name = Shape::of::<L>().from_bits(word);
    let handle = name.handle();
    assert_eq!(Name::from(handle), name);
    handle
}

fn read<L: Layout>(text: &str) {
    if let Ok(handle) = text.parse::<Handle<Tracked, L>>() {
        write(handle);
    }
}

fn write<L: Layout>(handle: Handle<Tracked, L>) {
    assert_eq!(handle.to_string().parse(), Ok(handle));
    assert_eq!(Handle::from_bits(handle.to_bits()), handle);
    let name = Name::from(handle);
    assert_eq!((name.handle(), name.to_string()), (handle, handle.to_string()));
    if !handle.is_nil() {
        assert_eq!(Shape::of::<L>().name(handle.index(), handle.generation(), handle.tag()), name);
    }
}
