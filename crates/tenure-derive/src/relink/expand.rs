//! The generated code: the impl, inside of an anonymous constant.

use std::collections::BTreeSet;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Ident, Member};

use super::bounds::with_bounds;
use super::shape::{Field, Shape, Variant};
use crate::names::{self, TENURE, VISITOR};

pub(crate) fn expand(shape: &Shape) -> TokenStream {
    let (krate, name, generics) = (&shape.krate, &shape.name, with_bounds(shape));
    let (parameters, arguments, clause) = generics.split_for_impl();
    let (visit, relink) = (VISIT.body(shape), RELINK.body(shape));
    let shadows = names::shadows(numbered(shape));
    quote! {
        const _: () = {
            use #krate::relink as #TENURE;
            #shadows

            #[automatically_derived]
            #[allow(deprecated)]
            impl #parameters #TENURE::Relink for #name #arguments #clause {
                fn visit(&self, #VISITOR: &mut #TENURE::Visitor<'_>) {
                    #visit
                }

                fn relink(&mut self, #VISITOR: &mut #TENURE::Relinker<'_>) {
                    #relink
                }
            }
        };
    }
}

/// The variables of the fields. Variants share some of the names.
fn numbered(shape: &Shape) -> impl Iterator<Item = &Ident> {
    let all: BTreeSet<_> = shape.fields().map(|field| &field.local).collect();
    all.into_iter()
}

/// One of the two methods, and the type of its visitor. No method is called with a dot: a trait of
/// the user may have a blanket impl with a method of the same name.
struct Method {
    name: &'static str,
    visitor: &'static str,
}

const VISIT: Method = Method { name: "visit", visitor: "Visitor" };
const RELINK: Method = Method { name: "relink", visitor: "Relinker" };

impl Method {
    /// Handles every field in the same way.
    fn body(&self, shape: &Shape) -> TokenStream {
        if shape.variants.is_empty() {
            return quote!(match *self {});
        }
        let arms = shape.variants.iter().map(|variant| self.arm(variant));
        quote!(match self { #(#arms)* })
    }

    fn arm(&self, variant: &Variant) -> TokenStream {
        let pattern = variant.name.as_ref().map_or_else(|| quote!(Self), |name| quote!(Self::#name));
        let bindings = variant.fields.iter().map(|Field { member, local, .. }| quote!(#member: #local,));
        let calls = variant.fields.iter().map(|field| self.call(field));
        let enter = variant.name.as_ref().filter(|_| !variant.fields.is_empty()).map(|name| {
            let (name, visitor) = (name.unraw().to_string(), format_ident!("{}", self.visitor));
            quote!(let #VISITOR = &mut #TENURE::#visitor::at_variant(#VISITOR, #name);)
        });
        quote! {
            #pattern { #(#bindings)* .. } => {
                #enter
                #(#calls)*
            }
        }
    }

    /// Spanned at the field's type, so that an error is reported there; but identifiers are
    /// resolved as in the generated code.
    fn call(&self, Field { member, ty, with, local }: &Field) -> TokenStream {
        let field = match member {
            Member::Named(name) => name.unraw().to_string(),
            Member::Unnamed(index) => index.index.to_string(),
        };
        let place = with.as_ref().map_or_else(|| ty.span(), Spanned::span);
        let span = Span::call_site().located_at(place);
        let (name, visitor) = (Ident::new(self.name, span), Ident::new(self.visitor, span));
        let module = match with {
            Some(path) => path.to_token_stream(),
            None => quote_spanned!(span=> <#ty as #TENURE::Relink>),
        };
        quote_spanned!(span=> #module::#name(#local, &mut #TENURE::#visitor::at_field(#VISITOR, #field));)
    }
}
