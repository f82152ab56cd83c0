//! The generated code causes no warnings with all lints enabled, and needs no `unsafe`.
#![forbid(unsafe_code, missing_docs, dead_code, drop_bounds, unused_imports)]
#![deny(
    warnings,
    future_incompatible,
    keyword_idents,
    let_underscore,
    nonstandard_style,
    refining_impl_trait,
    rust_2018_idioms,
    rust_2024_compatibility,
    unused,
    absolute_paths_not_starting_with_crate,
    ambiguous_negative_literals,
    explicit_outlives_requirements,
    ffi_unwind_calls,
    impl_trait_redundant_captures,
    let_underscore_drop,
    macro_use_extern_crate,
    meta_variable_misuse,
    missing_copy_implementations,
    missing_debug_implementations,
    redundant_imports,
    redundant_lifetimes,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unnameable_types,
    unreachable_pub,
    unused_import_braces,
    unused_lifetimes,
    unused_qualifications,
    unused_results,
    variant_size_differences,
    clippy::all,
    clippy::pedantic,
    clippy::nursery
)]

use tenure::Row;
use tenure::table::Columns;

/// A public struct.
#[expect(missing_debug_implementations, non_snake_case)]
#[derive(Row)]
pub struct Public<'w, T: Clone, const N: usize>
where
    [T; N]: PartialEq,
{
    /// Documented.
    pub shown: &'w [T; N],
    pub(crate) inner: T,
    hidden: u8,
    #[row(skip)]
    scratch: Vec<u8>,
    /// Deprecated.
    #[deprecated]
    pub old: bool,
    /// With an unconventional name.
    pub Loud: bool,
    #[row(nested)]
    secret: Secret,
}

/// A field without `Clone`, `Debug` and `PartialEq`.
struct Opaque;

#[derive(Row)]
struct Secret {
    opaque: Opaque,
    r#type: u8,
}

/// Deprecated.
#[deprecated]
#[derive(Clone, Copy, Debug, Row)]
pub struct Old<T> {
    /// A number.
    pub number: u8,
    /// A value of any type.
    #[row(skip)]
    pub whatever: std::marker::PhantomData<T>,
}

/// Has raw snapshots.
#[derive(Clone, Copy, Debug, Row)]
#[row(snapshot)]
pub struct Plain {
    /// A number.
    pub number: u8,
    /// Another number.
    pub flag: bool,
}

trait Known {}

impl Known for u8 {}

/// Has private types in public fields.
#[expect(private_bounds, private_interfaces, missing_debug_implementations)]
#[derive(Row)]
pub struct Leaky<T: Known> {
    /// Private.
    pub opaque: Opaque,
    /// Private.
    #[row(nested)]
    pub secret: Secret,
    /// Known.
    pub known: T,
}

mod private {
    #![allow(unreachable_pub)]

    use super::{Columns, Row};

    #[derive(Row)]
    pub struct Inner<T: Trait> {
        pub number: u8,
        number_of_the_inner: T,
    }

    pub trait Trait {}

    impl Trait for u8 {}

    pub fn count() -> usize {
        let mut inner = <Inner<u8> as Row>::Columns::EMPTY;
        inner.push(Inner { number: 1, number_of_the_inner: 2 });
        inner.len()
    }
}

#[expect(non_camel_case_types)]
#[derive(Row)]
struct r#struct {
    r#fn: u8,
}

#[test]
#[allow(deprecated)]
fn works() {
    let mut rows = <Public<'_, u32, 1> as Row>::Columns::EMPTY;
    let secret = Secret { opaque: Opaque, r#type: 1 };
    rows.push(Public { shown: &[1], inner: 2, hidden: 3, scratch: vec![4], old: true, Loud: false, secret });
    assert_eq!(rows.slices().hidden, [3]);
    assert_eq!(rows.slices().secret.r#type, [1]);
    assert_eq!(rows.pop().map(|row| (row.scratch, row.hidden, row.inner)), Some((vec![], 3, 2)));

    assert!(<Leaky<u8> as Row>::Columns::EMPTY.is_empty());
    assert!(<Old<u8> as Row>::Columns::EMPTY.is_empty());

    let mut rows = <r#struct as Row>::Columns::EMPTY;
    rows.push(r#struct { r#fn: 1 });
    let structColumns { r#fn } = rows.slices();
    assert_eq!((r#fn, private::count()), (&[1][..], 1));
}
