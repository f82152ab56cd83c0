//! `#[derive(Relink)]`: reads the type (`shape`), determines the bounds of its parameters
//! (`bounds`) and generates the code (`expand`).

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
