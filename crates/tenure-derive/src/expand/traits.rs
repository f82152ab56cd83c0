//! `Clone`, `Copy`, `Debug`, `PartialEq` and `Eq`, if the fields have them.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::parse_quote;

use super::implement;
use crate::names::{ANY, FORMATTER, OTHER, SOURCE, STRUCT, TENURE, UNFINISHED};
use crate::part::Part;
use crate::record::{Column, Record};

pub(super) fn traits(record: &Record) -> TokenStream {
    let copies = [Part::Ref, Part::Slices].map(|part| copy(record, part));
    let shown = [Part::Storage, Part::Ref, Part::Mut, Part::Slices, Part::SlicesMut].map(|part| {
        let (debug, eq) = (debug(record, part), eq(record, part));
        quote!(#debug #eq)
    });
    let clones = [clone(record, Part::Storage, &clone_from(record)), clone(record, Part::Iter, &quote!())];
    quote!(#(#copies)* #(#shown)* #(#clones)*)
}

/// References are always `Copy`. So are generated views of nested rows; others may not be.
fn copy(record: &Record, part: Part) -> TokenStream {
    let bound = quote!(::core::marker::Copy);
    let is_bound = |column: &Column| column.nested;
    let clone = quote! {
        #[inline]
        fn clone(&self) -> Self {
            *self
        }
    };
    let clone = implement_if(record, part, is_bound, &bound, &quote!(::core::clone::Clone), &clone);
    let copy = implement_if(record, part, is_bound, &bound, &bound, &quote!());
    quote!(#clone #copy)
}

fn debug(record: &Record, part: Part) -> TokenStream {
    // The storage is printed as its slices.
    let name = if part == Part::Storage { Part::Slices.name(record) } else { part.name(record) }.to_string();
    let fields = record.columns.iter().map(|Column { name, .. }| {
        let text = name.unraw().to_string();
        quote!(::core::fmt::DebugStruct::field(&mut #STRUCT, #text, &self.#name);)
    });
    implement_if_all(
        record,
        part,
        &quote!(::core::fmt::Debug),
        &quote! {
            fn fmt(&self, #FORMATTER: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                let mut #STRUCT = ::core::fmt::Formatter::debug_struct(#FORMATTER, #name);
                #(#fields)*
                ::core::fmt::DebugStruct::finish(&mut #STRUCT)
            }
        },
    )
}

fn eq(record: &Record, part: Part) -> TokenStream {
    let other = OTHER;
    let names = record.columns.iter().map(|column| &column.name);
    let body = quote! {
        fn eq(&self, #other: &Self) -> ::core::primitive::bool {
            #(::core::cmp::PartialEq::eq(&self.#names, &#other.#names))&&*
        }
    };
    let partial = implement_if_all(record, part, &quote!(::core::cmp::PartialEq), &body);
    let full = implement_if_all(record, part, &quote!(::core::cmp::Eq), &quote!());
    quote!(#partial #full)
}

fn clone(record: &Record, part: Part, clone_from: &TokenStream) -> TokenStream {
    let literal = part.literal(record, |Column { name, .. }| quote!(::core::clone::Clone::clone(&self.#name)));
    let body = quote! {
        fn clone(&self) -> Self {
            #literal
        }

        #clone_from
    };
    implement_if_all(record, part, &quote!(::core::clone::Clone), &body)
}

/// A clone that panics midway leaves columns of different lengths: then all are truncated.
fn clone_from(record: &Record) -> TokenStream {
    let (source, unfinished) = (SOURCE, UNFINISHED);
    let names = record.columns.iter().map(|column| &column.name);
    quote! {
        fn clone_from(&mut self, #source: &Self) {
            let #unfinished = #TENURE::TruncateLater(self, 0);
            #(::core::clone::Clone::clone_from(&mut #unfinished.0.#names, &#source.#names);)*
            ::core::mem::forget(#unfinished);
        }
    }
}

fn implement_if_all(record: &Record, part: Part, trait_: &TokenStream, body: &TokenStream) -> TokenStream {
    implement_if(record, part, |_| true, trait_, trait_, body)
}

/// An impl that exists only if these columns implement a trait.
///
/// A bound without parameters that does not hold is an error, unless it is higher-ranked: then
/// there is no impl. See <https://github.com/rust-lang/rust/issues/48214>.
pub(super) fn implement_if(
    record: &Record,
    part: Part,
    is_bound: impl Fn(&Column) -> bool,
    bound: &TokenStream,
    trait_: &TokenStream,
    body: &TokenStream,
) -> TokenStream {
    let mut generics = part.generics(record).clone();
    let bound_columns = record.columns.iter().filter(|column| is_bound(column));
    let types = bound_columns.map(|column| part.of_column(column, record));
    let predicates = types.map(|ty| -> syn::WherePredicate { parse_quote!(for<#ANY> #ty: #bound) });
    generics.make_where_clause().predicates.extend(predicates);
    implement(trait_, &generics, &part.ty(record), body)
}
