//! The generated code: the views, and, inside of an anonymous constant, the storage and the impls.

mod columns;
mod iterators;
mod snapshot;
mod structs;
mod traits;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Generics, Ident};

use crate::names::{self, ROW, TENURE};
use crate::part::Part;
use crate::record::{Column, Record};

pub(crate) fn expand(record: &Record) -> TokenStream {
    let views = Part::VIEWS.map(|part| structs::view(record, part));
    let hidden = hidden(record);
    quote! {
        #(#views)*
        #hidden
    }
}

/// Items that users do not need to name.
fn hidden(record: &Record) -> TokenStream {
    let krate = &record.krate;
    let shadows = names::shadows(record.columns.iter().map(|column| &column.local));
    let items = [
        structs::hidden(record),
        not_dropped(record),
        nested_fields_are_rows(record),
        row(record),
        columns::views(record),
        columns::columns(record),
        iterators::iterators(record),
        traits::traits(record),
        snapshot::raw_columns(record).unwrap_or_default(),
        structs::as_ref(record).unwrap_or_default(),
    ];
    quote! {
        #[allow(deprecated)]
        const _: () = {
            use #krate::__private as #TENURE;
            #shadows
            #(#items)*
        };
    }
}

/// Rejects a struct that implements `Drop`, even if all its fields are `Copy`. The bound is in
/// tenure, so that no lint of the user's crate applies to it.
fn not_dropped(record: &Record) -> TokenStream {
    let (name, (parameters, arguments, clause)) = (&record.name, record.own_generics.split_for_impl());
    // Errors are reported at the name of the struct; identifiers are resolved as everywhere in the
    // generated code.
    let span = Span::call_site().located_at(name.span());
    let tenure = Ident::new(&TENURE.to_token_stream().to_string(), span);
    quote_spanned! {span=>
        #[automatically_derived]
        impl #parameters #tenure::RowsMustNotImplementDrop for #name #arguments #clause {}
    }
}

/// All other items assume this bound: a nested field that is not a row is one error, at the field,
/// and not one for every item.
fn nested_fields_are_rows(record: &Record) -> TokenStream {
    let (row, (parameters, _, clause)) = (record.ty(), record.own_generics.split_for_impl());
    let checks = record.nested().map(|Column { ty, local, .. }| {
        let check = format_ident!("{local}_is_a_row");
        quote! {
            fn #check #parameters (#ROW: #row) -> #row #clause {
                #TENURE::is_row::<#ty>();
                #ROW
            }
        }
    });
    quote!(#(#checks)*)
}

fn row(record: &Record) -> TokenStream {
    let (ty, storage) = (record.ty(), Part::Storage.ty(record));
    let body = quote!(type Columns = #storage;);
    implement(&quote!(#TENURE::Row), &record.generics, &ty, &body)
}

/// `impl Trait for Type { … }`
fn implement(trait_: &TokenStream, generics: &Generics, ty: &TokenStream, body: &TokenStream) -> TokenStream {
    let (parameters, _, clause) = generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #parameters #trait_ for #ty #clause {
            #body
        }
    }
}
