//! `#[derive(Relink)]`: reads the type (`shape`), finds out what its parameters must be (`bounds`)
//! and writes the code (`expand`).

mod bounds;
mod expand;
mod shape;

use proc_macro2::TokenStream;

use self::shape::Shape;
use crate::names;

pub(crate) fn derive(input: TokenStream) -> syn::Result<TokenStream> {
    names::choose_prefix(&input);
    let input = syn::parse2(input)?;
    Ok(expand::expand(&Shape::read(&input)?))
}
