//! `impl RawColumns` for the storage, on request: columns with their names and the names of their
//! types.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::Type;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use super::traits::implement_if;
use crate::names::{FIELD, LIST, ROW_LIFE, SOURCE};
use crate::part::Part;
use crate::record::{Column, Record};

/// The span of a field's type, for errors. Identifiers are resolved as everywhere in the generated
/// code, even if a macro wrote the struct.
fn at(ty: &Type) -> Span {
    Span::call_site().located_at(ty.span())
}

pub(super) fn raw_columns(record: &Record) -> Option<TokenStream> {
    let krate = &record.krate;
    let snapshot = quote!(#krate::snapshot);
    let lists = record.columns.iter().map(|Column { name, ty, .. }| {
        let (field, type_name) = (name.unraw().to_string(), spelled(ty));
        quote_spanned! { at(ty) =>
            #snapshot::RawColumns::list(&self.#name, &#snapshot::Field::of(#FIELD, #field, #type_name), #LIST);
        }
    });
    let load = |Column { ty, .. }: &Column| quote_spanned!(at(ty) => #snapshot::RawColumns::load(#SOURCE)?);
    let literal = Part::Storage.literal(record, load);
    let body = quote! {
        fn list<#ROW_LIFE>(&#ROW_LIFE self, #FIELD: &#snapshot::Field<'_>, #LIST: &mut #snapshot::List<#ROW_LIFE>) {
            #(#lists)*
        }

        fn load(
            #SOURCE: &mut #snapshot::Source<'_>,
        ) -> ::core::result::Result<Self, #snapshot::SnapshotError> {
            ::core::result::Result::Ok(#literal)
        }
    };
    let trait_ = quote!(#snapshot::RawColumns);
    // A column that is not plain data is one error, at its type. The bound is repeated for nested
    // rows, so that the compiler knows it.
    record.has_snapshots.then(|| implement_if(record, Part::Storage, |column| column.nested, &trait_, &trait_, &body))
}

/// A type as it is spelled, with spaces only between words: the spacing of tokens depends on the
/// version of the compiler.
fn spelled(ty: &Type) -> String {
    let mut spelled = String::new();
    for word in ty.to_token_stream().to_string().split_whitespace() {
        let is_in_word = |c: char| c.is_alphanumeric() || c == '_';
        if spelled.ends_with(is_in_word) && word.starts_with(is_in_word) {
            spelled.push(' ');
        }
        spelled.push_str(word);
    }
    spelled
}
