//! Replaces `Self` in the struct by the struct: in generated code it would refer to another type.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::DeriveInput;

/// The struct, without `Self`.
pub(crate) fn spell_out(tokens: TokenStream) -> syn::Result<DeriveInput> {
    let input: DeriveInput = syn::parse2(tokens.clone())?;
    if !mentions(tokens.clone(), "Self") {
        return Ok(input);
    }
    let (name, (_, arguments, _)) = (&input.ident, input.generics.split_for_impl());
    syn::parse2(replace(tokens, &quote!(#name #arguments)))
}

/// Returns `true` if an identifier occurs. Lifetimes are named without their quote.
pub(crate) fn mentions(tokens: TokenStream, name: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => mentions(group.stream(), name),
        _ => false,
    })
}

fn replace(tokens: TokenStream, with: &TokenStream) -> TokenStream {
    tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Ident(ident) if ident == "Self" => with.clone(),
            TokenTree::Group(group) => replace_in(&group, with).into_token_stream(),
            other => other.into(),
        })
        .collect()
}

fn replace_in(group: &Group, with: &TokenStream) -> Group {
    let mut replaced = Group::new(group.delimiter(), replace(group.stream(), with));
    replaced.set_span(group.span());
    replaced
}
