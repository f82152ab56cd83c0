//! What the macro writes: the views, and behind them, out of sight, the storage and the impls.

mod columns;
mod iterators;
mod structs;
mod traits;

use proc_macro2::TokenStream;
use quote::quote;
use syn::Generics;

use crate::part::Part;
use crate::record::Record;

pub(crate) fn expand(record: &Record) -> TokenStream {
    let views = Part::VIEWS.map(|part| structs::view(record, part));
    let hidden = hidden(record);
    quote! {
        #(#views)*
        #hidden
    }
}

/// What nobody needs to name.
fn hidden(record: &Record) -> TokenStream {
    let krate = &record.krate;
    let items = [
        structs::hidden(record),
        row(record),
        columns::columns(record),
        iterators::iterators(record),
        traits::traits(record),
        structs::as_ref(record).unwrap_or_default(),
    ];
    quote! {
        #[allow(deprecated, private_bounds, private_interfaces, unreachable_pub, unused_lifetimes, unused_qualifications)]
        const _: () = {
            use #krate::__private as __tenure;
            #(#items)*
        };
    }
}

fn row(record: &Record) -> TokenStream {
    let (ty, storage) = (record.ty(), Part::Storage.ty(record));
    let body = quote!(type Columns = #storage;);
    implement(&quote!(__tenure::Row), &record.generics, &ty, &body)
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
