//! The iterators: one per column, in step. They end with the first column.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::implement;
use crate::names::{FORMATTER, N, SO_FAR, START, STEP, STEP_OF, STRUCT, SUM};
use crate::part::Part;
use crate::record::{Column, Record};

pub(super) fn iterators(record: &Record) -> TokenStream {
    let iterators =
        [borrowed(record, Part::Iter, Part::Ref), borrowed(record, Part::IterMut, Part::Mut), parts(record)];
    quote!(#(#iterators)*)
}

/// An iterator over views. Skipping takes constant time.
fn borrowed(record: &Record, iterator: Part, item: Part) -> TokenStream {
    let one = |trait_: &str, method: &str| step(record, item, trait_, method, None);
    let skip = |trait_: &str, method: &str| step(record, item, trait_, method, Some(&quote!(#N)));
    let front = [one("Iterator", "next"), skip("Iterator", "nth"), fold(record, item)];
    let back = [one("DoubleEndedIterator", "next_back"), skip("DoubleEndedIterator", "nth_back")];
    implement_all(record, iterator, &item.ty(record), &quote!(#(#front)*), &quote!(#(#back)*))
}

/// Consumes the rest in one loop: zipped slices compute their length once, instead of checking
/// every column before every row.
fn fold(record: &Record, item: Part) -> TokenStream {
    let mut columns = record.columns.iter().map(|Column { name, local, .. }| (quote!(self.#name), quote!(#local)));
    let first = columns.next().unwrap_or_default();
    let (rows, pattern) = columns.fold(first, |(rows, pattern), (column, local)| {
        (quote!(::core::iter::Iterator::zip(#rows, #column)), quote!((#pattern, #local)))
    });
    let literal = item.literal(record, |Column { local, .. }| quote!(#local));
    quote! {
        #[inline]
        fn fold<#SUM, #STEP: ::core::ops::FnMut(#SUM, Self::Item) -> #SUM>(self, #START: #SUM, mut #STEP_OF: #STEP) -> #SUM {
            ::core::iter::Iterator::fold(#rows, #START, |#SO_FAR, #pattern| #STEP_OF(#SO_FAR, #literal))
        }
    }
}

fn step(record: &Record, item: Part, trait_: &str, method: &str, skip: Option<&TokenStream>) -> TokenStream {
    let (trait_, method, skip) = (format_ident!("{trait_}"), format_ident!("{method}"), skip.into_iter());
    let parameter = skip.clone().map(|name| quote!(#name: ::core::primitive::usize));
    let literal = item.literal(record, |Column { name, .. }| {
        let skip = skip.clone();
        quote!(::core::iter::#trait_::#method(&mut self.#name #(, #skip)*)?)
    });
    quote! {
        #[inline]
        fn #method(&mut self #(, #parameter)*) -> ::core::option::Option<Self::Item> {
            ::core::option::Option::Some(#literal)
        }
    }
}

/// The iterator over rows without skipped fields. It runs no code of the values, so the columns
/// stay in step. It skips rows one by one, so that they stay in step if a value panics when it is
/// dropped.
fn parts(record: &Record) -> TokenStream {
    let take = |trait_: &str, method: &str| step(record, Part::Parts, trait_, method, None);
    let (front, back) = (take("Iterator", "next"), take("DoubleEndedIterator", "next_back"));
    implement_all(record, Part::IntoParts, &Part::Parts.ty(record), &front, &back)
}

/// All traits of an iterator, from its front and back methods.
fn implement_all(
    record: &Record,
    iterator: Part,
    item: &TokenStream,
    front: &TokenStream,
    back: &TokenStream,
) -> TokenStream {
    let size_hint = size_hint(record);
    let front = quote!(type Item = #item; #front #size_hint);
    let implement = |trait_, body| implement(&trait_, iterator.generics(record), &iterator.ty(record), body);
    let impls = [
        implement(quote!(::core::iter::Iterator), &front),
        implement(quote!(::core::iter::DoubleEndedIterator), back),
        implement(quote!(::core::iter::ExactSizeIterator), &quote!()),
        implement(quote!(::core::iter::FusedIterator), &quote!()),
        implement(quote!(::core::fmt::Debug), &debug(record, iterator)),
    ];
    quote!(#(#impls)*)
}

fn size_hint(record: &Record) -> TokenStream {
    let first = record.first();
    quote! {
        #[inline]
        fn size_hint(&self) -> (::core::primitive::usize, ::core::option::Option<::core::primitive::usize>) {
            ::core::iter::Iterator::size_hint(&self.#first)
        }
    }
}

/// For all field types, so that iterators that contain this one can be printed.
fn debug(record: &Record, iterator: Part) -> TokenStream {
    let name = iterator.name(record).to_string();
    let name = name.trim_start_matches('_');
    quote! {
        fn fmt(&self, #FORMATTER: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut #STRUCT = ::core::fmt::Formatter::debug_struct(#FORMATTER, #name);
            ::core::fmt::DebugStruct::field(&mut #STRUCT, "len", &::core::iter::ExactSizeIterator::len(self));
            ::core::fmt::DebugStruct::finish_non_exhaustive(&mut #STRUCT)
        }
    }
}
