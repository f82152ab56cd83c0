//! The generated structs.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::{Ident, parse_quote};

use crate::attributes;
use crate::names::{MARKER, TENURE, own};
use crate::part::Part;
use crate::record::{Column, Record, Skipped, borrowed_for, with_arguments};

/// A public struct.
pub(super) fn view(record: &Record, part: Part) -> TokenStream {
    let docs = docs(part, &record.name.to_string());
    let definition = definition(record, part, |column| view_field(record, part, column));
    let derives = (part == Part::Ref).then(|| derives(record));
    quote! {
        #[doc = #docs]
        #[allow(deprecated, private_bounds, private_interfaces)]
        #derives
        #definition
    }
}

/// The derives of `…Ref` on request. It is saved as the row would be, with its name and attributes.
fn derives(record: &Record) -> TokenStream {
    let derives = &record.derives;
    let serde = record.is_saved().then(|| {
        let (attributes, name) = (&record.serde, record.name.to_string());
        let rename = (!attributes::renames(attributes)).then(|| quote!(#[serde(rename = #name)]));
        quote!(#rename #(#attributes)*)
    });
    quote!(#(#[derive(#derives)])* #serde)
}

fn docs(part: Part, name: &str) -> String {
    match part {
        Part::Ref => format!(" A [`{name}`] in a table, with a reference to each field."),
        Part::Mut => format!(" A [`{name}`] in a table, with a mutable reference to each field."),
        Part::Slices => format!(" All [`{name}`]s of a table, with a slice of each column."),
        _ => format!(" All [`{name}`]s of a table, with a mutable slice of each column."),
    }
}

fn view_field(record: &Record, part: Part, column: &Column) -> TokenStream {
    let Column { attributes, visibility, name, .. } = column;
    let ty = part.of_column(column, record);
    let docs = (!attributes::is_documented(attributes)).then(|| {
        let docs = format!(" The field `{name}`.");
        quote!(#[doc = #docs])
    });
    let serde = column.serde.iter().filter(|_| part == Part::Ref && record.is_saved());
    quote!(#(#attributes)* #docs #(#serde)* #visibility #name: #ty)
}

/// The structs that users do not see.
pub(super) fn hidden(record: &Record) -> TokenStream {
    let parts = [Part::Storage, Part::Parts, Part::Iter, Part::IterMut, Part::IntoParts].map(|part| {
        definition(record, part, |column| {
            let (name, ty) = (&column.name, part.of_column(column, record));
            quote!(#name: #ty)
        })
    });
    let skipped = skipped(record);
    quote!(#(#parts)* #skipped)
}

/// The fields without a column: those of this struct, and those of nested rows.
fn skipped(record: &Record) -> TokenStream {
    let nested = record.nested().map(|column| {
        let (local, storage) = (&column.local, column.storage(record));
        quote!(#local: <#storage as #TENURE::Columns>::Skipped)
    });
    let own = record.skipped.iter().map(|Skipped { ty, local, .. }| quote!(#local: #ty));
    let (visibility, name, generics, ty) = (&record.visibility, skipped_name(record), &record.generics, record.ty());
    let (attributes, clause) = (&record.attributes, &generics.where_clause);
    // Fields whose names begin with `_` need not be read: these only exist to be dropped. The
    // marker uses all parameters.
    quote! {
        #(#attributes)*
        #visibility struct #name #generics #clause {
            #(#nested,)*
            #(#own,)*
            #MARKER: ::core::marker::PhantomData<fn() -> #ty>,
        }
    }
}

pub(super) fn skipped_name(record: &Record) -> Ident {
    own(format_args!("{}Skipped", record.name.unraw()))
}

fn definition(record: &Record, part: Part, field: impl Fn(&Column) -> TokenStream) -> TokenStream {
    let fields = record.columns.iter().map(field);
    let (visibility, name, generics) = (&record.visibility, part.name(record), part.generics(record));
    let skip = (part == Part::Ref && record.is_saved()).then(|| quote!(#[serde(skip)]));
    let (attributes, clause, marker) = (&record.attributes, &generics.where_clause, marker(record, skip.as_ref()));
    quote! {
        #(#attributes)*
        #visibility struct #name #generics #clause {
            #(#fields,)*
            #marker
        }
    }
}

/// Uses the parameters that no column uses.
fn marker(record: &Record, skip: Option<&TokenStream>) -> Option<TokenStream> {
    let ty = record.ty();
    record.has_idle_parameters.then(|| quote!(#[doc(hidden)] #skip #MARKER: ::core::marker::PhantomData<fn() -> #ty>))
}

/// Converts `…Mut` to `…Ref`. Not for nested rows: the trait `Columns` has no method for it.
pub(super) fn as_ref(record: &Record) -> Option<TokenStream> {
    if record.columns.iter().any(|column| column.nested) {
        return None;
    }
    let (ty, (parameters, _, clause)) = (Part::Mut.ty(record), record.row_generics.split_for_impl());
    let short = with_arguments(&Part::Ref.name(record), &borrowed_for(&parse_quote!('_), &record.generics));
    let literal = Part::Ref.literal(record, |Column { name, .. }| quote!(&*self.#name));
    Some(quote! {
        impl #parameters #ty #clause {
            /// Returns the same row with shared references.
            #[inline]
            #[must_use]
            pub fn as_ref(&self) -> #short {
                #literal
            }
        }
    })
}
