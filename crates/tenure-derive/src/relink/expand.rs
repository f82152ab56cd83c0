//! What the macro writes: the impl, out of sight of the names around it.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Ident;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use super::bounds::with_bounds;
use super::shape::{Field, Shape, Variant};

pub(crate) fn expand(shape: &Shape) -> TokenStream {
    let (krate, name, generics) = (&shape.krate, &shape.name, with_bounds(shape));
    let (parameters, arguments, clause) = generics.split_for_impl();
    let (visit, relink) = (method(shape, "visit"), method(shape, "relink"));
    quote! {
        const _: () = {
            use #krate::relink as __tenure;

            #[automatically_derived]
            #[allow(deprecated)]
            impl #parameters __tenure::Relink for #name #arguments #clause {
                fn visit(&self, __visitor: &mut __tenure::Visitor<'_>) {
                    #visit
                }

                fn relink(&mut self, __visitor: &mut __tenure::Relinker<'_>) {
                    #relink
                }
            }
        };
    }
}

/// The body of a method: it does the same for every field.
fn method(shape: &Shape, name: &str) -> TokenStream {
    if shape.variants.is_empty() {
        return quote!(match *self {});
    }
    let method = format_ident!("{name}");
    let arms = shape.variants.iter().map(|variant| arm(variant, &method));
    quote!(match self { #(#arms)* })
}

fn arm(variant: &Variant, method: &Ident) -> TokenStream {
    let pattern = variant.name.as_ref().map_or_else(|| quote!(Self), |name| quote!(Self::#name));
    let bindings = variant.fields.iter().map(|Field { member, local, .. }| quote!(#member: #local,));
    let calls = variant.fields.iter().map(|field| call(field, method));
    let enter = variant.name.as_ref().filter(|_| !variant.fields.is_empty()).map(|name| {
        let name = name.unraw().to_string();
        quote!(let mut __visitor = __visitor.at_variant(#name);)
    });
    quote! {
        #pattern { #(#bindings)* .. } => {
            #enter
            #(#calls)*
        }
    }
}

/// At the place of the field's type, so that an error is reported there; but by the names that are known here.
fn call(Field { member, ty, with, local }: &Field, method: &Ident) -> TokenStream {
    let name = match member {
        syn::Member::Named(name) => name.unraw().to_string(),
        syn::Member::Unnamed(index) => index.index.to_string(),
    };
    let place = with.as_ref().map_or_else(|| ty.span(), Spanned::span);
    let span = Span::call_site().located_at(place);
    let module =
        with.as_ref().map_or_else(|| quote_spanned!(span=> <#ty as __tenure::Relink>), ToTokens::to_token_stream);
    quote_spanned!(span=> #module::#method(#local, &mut __visitor.at_field(#name));)
}
