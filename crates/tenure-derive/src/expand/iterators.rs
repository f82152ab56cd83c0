//! The iterators: one per column, in step. The first column decides when they end.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::columns::row_literal;
use super::implement;
use crate::part::Part;
use crate::record::{Column, Record};

pub(super) fn iterators(record: &Record) -> TokenStream {
    let iterators =
        [borrowed(record, Part::Iter, Part::Ref), borrowed(record, Part::IterMut, Part::Mut), owned(record)];
    quote!(#(#iterators)*)
}

/// An iterator over views. Skipping takes no time.
fn borrowed(record: &Record, iterator: Part, item: Part) -> TokenStream {
    let one = |trait_: &str, method: &str| step(record, item, trait_, method, None);
    let skip = |trait_: &str, method: &str| step(record, item, trait_, method, Some(&quote!(__n)));
    let front = [one("Iterator", "next"), skip("Iterator", "nth"), fold(record, item)];
    let back = [one("DoubleEndedIterator", "next_back"), skip("DoubleEndedIterator", "nth_back")];
    implement_all(record, iterator, &item.ty(record), &quote!(#(#front)*), &quote!(#(#back)*))
}

/// All that is left, in one loop: zipped slices are asked for their length once, and not every column before every row.
fn fold(record: &Record, item: Part) -> TokenStream {
    let mut columns = record.columns.iter().map(|Column { name, local, .. }| (quote!(self.#name), quote!(#local)));
    let first = columns.next().unwrap_or_default();
    let (rows, pattern) = columns.fold(first, |(rows, pattern), (column, local)| {
        (quote!(::core::iter::Iterator::zip(#rows, #column)), quote!((#pattern, #local)))
    });
    let literal = item.literal(record, |Column { local, .. }| quote!(#local));
    quote! {
        #[inline]
        fn fold<__A, __F: ::core::ops::FnMut(__A, Self::Item) -> __A>(self, __start: __A, mut __step: __F) -> __A {
            ::core::iter::Iterator::fold(#rows, __start, |__so_far, #pattern| __step(__so_far, #literal))
        }
    }
}

fn step(record: &Record, item: Part, trait_: &str, method: &str, skip: Option<&TokenStream>) -> TokenStream {
    let (trait_, method, skip) = (format_ident!("{trait_}"), format_ident!("{method}"), skip.into_iter());
    let parameter = skip.clone().map(|name| quote!(#name: usize));
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

/// The iterator over whole rows. It skips them one by one: if one panics while it is dropped, the columns stay in step.
fn owned(record: &Record) -> TokenStream {
    let front = take(record, "Iterator", "next");
    let back = take(record, "DoubleEndedIterator", "next_back");
    implement_all(record, Part::IntoIter, &record.ty(), &front, &back)
}

fn take(record: &Record, trait_: &str, method: &str) -> TokenStream {
    let (trait_, method) = (format_ident!("{trait_}"), format_ident!("{method}"));
    let literal = row_literal(record, |Column { name, .. }| quote!(::core::iter::#trait_::#method(&mut self.#name)?));
    quote! {
        #[inline]
        fn #method(&mut self) -> ::core::option::Option<Self::Item> {
            ::core::option::Option::Some(#literal)
        }
    }
}

/// All traits of an iterator, from what it does at the front and at the back.
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
        fn size_hint(&self) -> (usize, ::core::option::Option<usize>) {
            ::core::iter::Iterator::size_hint(&self.#first)
        }
    }
}

/// Whatever the fields are, so that iterators that hold this one can be shown.
fn debug(record: &Record, iterator: Part) -> TokenStream {
    let name = iterator.name(record).to_string();
    let name = name.trim_start_matches('_');
    quote! {
        fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut __struct = ::core::fmt::Formatter::debug_struct(__f, #name);
            ::core::fmt::DebugStruct::field(&mut __struct, "len", &::core::iter::ExactSizeIterator::len(self));
            ::core::fmt::DebugStruct::finish_non_exhaustive(&mut __struct)
        }
    }
}
