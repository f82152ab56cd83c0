//! Lookups that the caller vouches for.
#![expect(unsafe_code, reason = "calls get_unchecked with handles that were just looked up")]

use tenure::{DensePool, FixedPool, Handle, Layout, Pool, SideMap, StablePool, World};

use crate::tracked::Tracked;

/// The address of a live value according to `get_unchecked` and `get_unchecked_mut`.
pub(crate) trait Unchecked<L: Layout> {
    /// Returns both addresses, which must be that of `get`. `None` if the handle does not resolve.
    fn unchecked(&mut self, handle: Handle<Tracked, L>) -> Option<[usize; 3]>;
}

fn address(value: &Tracked) -> usize {
    (&raw const *value).addr()
}

macro_rules! unchecked {
    ($($Container:ty $([$N:ident])?, $($mutable:ident)?;)*) => {$(
        impl<L: Layout $(, const $N: usize)?> Unchecked<L> for $Container {
            fn unchecked(&mut self, handle: Handle<Tracked, L>) -> Option<[usize; 3]> {
                let checked = address(self.get(handle)?);
                // SAFETY: `get_unchecked` needs a handle that resolves: `get` has found its value.
                let shared = address(unsafe { self.get_unchecked(handle) });
                let mutable = shared;
                // SAFETY: as above.
                $(let mutable = { let _ = mutable; address(unsafe { self.$mutable(handle) }) };)?
                Some([checked, shared, mutable])
            }
        }
    )*};
}

unchecked! {
    Pool<Tracked, Handle<Tracked, L>>, get_unchecked_mut;
    DensePool<Tracked, Handle<Tracked, L>>, get_unchecked_mut;
    FixedPool<Tracked, N, Handle<Tracked, L>> [N], get_unchecked_mut;
    StablePool<Tracked, Handle<Tracked, L>>, ;
    World<Tracked, Handle<Tracked, L>>, ;
    SideMap<Handle<Tracked, L>, Tracked>, ;
}

/// Returns `true` if unchecked lookups find the value that `get` finds, or nothing is to be found.
pub(crate) fn agrees<L: Layout>(container: &mut impl Unchecked<L>, handle: Handle<Tracked, L>) -> bool {
    container.unchecked(handle).is_none_or(|[checked, shared, mutable]| checked == shared && checked == mutable)
}
