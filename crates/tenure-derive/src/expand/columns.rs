//! `impl Views` and `impl Columns` for the storage. What is done to the rows is done to every column, through the same trait.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::parse_quote;

use super::implement;
use super::structs::skipped_name;
use crate::part::Part;
use crate::record::{Column, Record, Skipped, borrowed_for, with_arguments};

pub(super) fn columns(record: &Record) -> TokenStream {
    let items = [
        empty(record),
        associated_types(record),
        counts(record),
        reserve(record, "try_reserve"),
        reserve(record, "try_reserve_exact"),
        push_parts(record),
        pop_parts(record),
        swap_remove_parts(record),
        complete(record),
        truncate(record),
        moves(record),
        row(record, "row", Part::Ref, &quote!(&)),
        row(record, "row_mut", Part::Mut, &quote!(&mut)),
        whole(record, "slices", Part::Slices, &quote!(&)),
        whole(record, "slices_mut", Part::SlicesMut, &quote!(&mut)),
        split_at(record),
        whole(record, "iter", Part::Iter, &quote!(&)),
        iter_slices(record),
        into_iter_parts(record),
    ];
    implement(&quote!(__tenure::Columns), &record.generics, &Part::Storage.ty(record), &quote!(#(#items)*))
}

fn empty(record: &Record) -> TokenStream {
    let literal = Part::Storage.literal(record, |_| quote!(__tenure::Columns::EMPTY));
    quote!(const EMPTY: Self = #literal;)
}

/// How the storage looks while it is borrowed. That the parameters outlive the row is not said here: the trait says so,
/// and a second time it would be asked of every lifetime.
pub(super) fn views(record: &Record) -> TokenStream {
    let generics = borrowed_for(&parse_quote!('__row), &record.generics);
    let types = Part::BORROWED.map(|part| {
        let (name, ty) = (part.associated_type(), part.ty(record));
        quote!(type #name = #ty;)
    });
    implement(&quote!(__tenure::Views<'__row>), &generics, &Part::Storage.ty(record), &quote!(#(#types)*))
}

fn associated_types(record: &Record) -> TokenStream {
    let (row, skipped) = (record.ty(), with_arguments(&skipped_name(record), &record.generics));
    let (parts, into_iter_parts) = (Part::Parts.ty(record), Part::IntoParts.ty(record));
    quote! {
        type Row = #row;
        type Parts = #parts;
        type Skipped = #skipped;
        type IntoParts = #into_iter_parts;
        type IntoIter = __tenure::IntoRows<Self>;
    }
}

fn counts(record: &Record) -> TokenStream {
    let (first, names) = (record.first(), names(record));
    let others = &names[1..];
    quote! {
        #[inline]
        fn len(&self) -> usize {
            __tenure::Columns::len(&self.#first)
        }

        fn has_len(&self, __len: usize) -> bool {
            #(__tenure::Columns::has_len(&self.#names, __len))&&*
        }

        #[inline]
        fn capacity(&self) -> usize {
            let __capacity = __tenure::Columns::capacity(&self.#first);
            #(let __capacity = ::core::cmp::Ord::min(__capacity, __tenure::Columns::capacity(&self.#others));)*
            __capacity
        }

        fn bytes(&self) -> usize {
            #(__tenure::Columns::bytes(&self.#names))+*
        }
    }
}

fn reserve(record: &Record, method: &str) -> TokenStream {
    let (method, names) = (format_ident!("{method}"), names(record));
    quote! {
        #[inline]
        fn #method(&mut self, __additional: usize) -> ::core::result::Result<(), __tenure::TryReserveError> {
            #(__tenure::Columns::#method(&mut self.#names, __additional)?;)*
            ::core::result::Result::Ok(())
        }
    }
}

/// Fields without a column are given back: the row is in every column before one of them is dropped.
fn push_parts(record: &Record) -> TokenStream {
    let push = |Column { name, .. }: &Column| quote!(__tenure::Columns::push_parts(&mut self.#name, __row.#name));
    let plain = record.columns.iter().filter(|column| !column.nested).map(push);
    let nested = record.nested().map(|column| {
        let (local, push) = (&column.local, push(column));
        quote!(#local: #push)
    });
    let own = record.skipped.iter().map(|Skipped { name, local, .. }| quote!(#local: __row.#name));
    let skipped = skipped_name(record);
    quote! {
        #[inline]
        fn push_parts(&mut self, __row: Self::Row) -> Self::Skipped {
            #(#plain;)*
            #skipped { #(#nested,)* #(#own,)* __marker: ::core::marker::PhantomData }
        }
    }
}

fn pop_parts(record: &Record) -> TokenStream {
    let literal =
        Part::Parts.literal(record, |Column { name, .. }| quote!(__tenure::Columns::pop_parts(&mut self.#name)?));
    quote! {
        #[inline]
        fn pop_parts(&mut self) -> ::core::option::Option<Self::Parts> {
            ::core::option::Option::Some(#literal)
        }
    }
}

fn swap_remove_parts(record: &Record) -> TokenStream {
    let literal = Part::Parts
        .literal(record, |Column { name, .. }| quote!(__tenure::Columns::swap_remove_parts(&mut self.#name, __row)?));
    quote! {
        #[inline]
        fn swap_remove_parts(&mut self, __row: usize) -> ::core::option::Option<Self::Parts> {
            ::core::option::Option::Some(#literal)
        }
    }
}

/// The one place where skipped fields are made.
fn complete(record: &Record) -> TokenStream {
    let name = &record.name;
    let columns = record.columns.iter().map(|column| {
        let (name, storage) = (&column.name, column.storage(record));
        let value = quote!(__parts.#name);
        if column.nested {
            quote!(#name: <#storage as __tenure::Columns>::complete(#value))
        } else {
            quote!(#name: #value)
        }
    });
    let skipped = record
        .skipped
        .iter()
        .map(|Skipped { name, ty, .. }| quote!(#name: <#ty as ::core::default::Default>::default()));
    quote! {
        #[inline]
        fn complete(__parts: Self::Parts) -> Self::Row {
            #name { #(#columns,)* #(#skipped,)* }
        }
    }
}

/// A tuple drops all that it holds, in order, also when one panics.
fn truncate(record: &Record) -> TokenStream {
    let names = names(record);
    quote! {
        fn truncate(&mut self, __len: usize) {
            ::core::mem::drop((#(__tenure::TruncateLater(&mut self.#names, __len),)*));
        }
    }
}

/// What changes the places of rows, or only the memory.
fn moves(record: &Record) -> TokenStream {
    let names = names(record);
    quote! {
        #[inline]
        fn swap(&mut self, __a: usize, __b: usize) {
            #(__tenure::Columns::swap(&mut self.#names, __a, __b);)*
        }

        fn pack(&mut self, __kept: &__tenure::Kept) {
            #(__tenure::Columns::pack(&mut self.#names, __kept);)*
        }

        fn gather(&mut self, __order: &__tenure::Order) {
            #(__tenure::Columns::gather(&mut self.#names, __order);)*
        }

        fn shrink_to_fit(&mut self) {
            #(__tenure::Columns::shrink_to_fit(&mut self.#names);)*
        }
    }
}

fn row(record: &Record, method: &str, part: Part, borrow: &TokenStream) -> TokenStream {
    let (method, ty) = (format_ident!("{method}"), part.associated_type());
    let literal =
        part.literal(record, |Column { name, .. }| quote!(__tenure::Columns::#method(#borrow self.#name, __row)?));
    quote! {
        #[inline]
        fn #method(#borrow self, __row: usize) -> ::core::option::Option<<Self as __tenure::Views<'_>>::#ty> {
            ::core::option::Option::Some(#literal)
        }
    }
}

/// A method that gives a part of all rows: the same part of every column.
fn whole(record: &Record, method: &str, part: Part, borrow: &TokenStream) -> TokenStream {
    let (method, ty) = (format_ident!("{method}"), part.associated_type());
    let literal = part.literal(record, |Column { name, .. }| quote!(__tenure::Columns::#method(#borrow self.#name)));
    quote! {
        #[inline]
        fn #method(#borrow self) -> <Self as __tenure::Views<'_>>::#ty {
            #literal
        }
    }
}

fn split_at(record: &Record) -> TokenStream {
    let splits = record.columns.iter().map(|column| {
        let (name, local, storage) = (&column.name, &column.local, column.storage(record));
        quote!(let #local = <#storage as __tenure::Columns>::split_at(__slices.#name, __row);)
    });
    // As the trait has it: with the type itself the lifetime would be another kind of parameter.
    let ty = quote!(<Self as __tenure::Views<'__row>>::SlicesMut);
    let before = Part::SlicesMut.literal(record, |Column { local, .. }| quote!(#local.0));
    let after = Part::SlicesMut.literal(record, |Column { local, .. }| quote!(#local.1));
    quote! {
        #[inline]
        fn split_at<'__row>(__slices: #ty, __row: usize) -> (#ty, #ty) {
            #(#splits)*
            (#before, #after)
        }
    }
}

fn iter_slices(record: &Record) -> TokenStream {
    let literal = Part::IterMut.literal(record, |column| {
        let (name, storage) = (&column.name, column.storage(record));
        quote!(<#storage as __tenure::Columns>::iter_slices(__slices.#name))
    });
    quote! {
        #[inline]
        fn iter_slices<'__row>(__slices: <Self as __tenure::Views<'__row>>::SlicesMut) -> <Self as __tenure::Views<'__row>>::IterMut {
            #literal
        }
    }
}

fn into_iter_parts(record: &Record) -> TokenStream {
    let literal =
        Part::IntoParts.literal(record, |Column { name, .. }| quote!(__tenure::Columns::into_iter_parts(self.#name)));
    quote! {
        fn into_iter_parts(self) -> Self::IntoParts {
            #literal
        }

        fn into_iter(self) -> Self::IntoIter {
            __tenure::IntoRows::new(self)
        }
    }
}

fn names(record: &Record) -> Vec<&syn::Ident> {
    record.columns.iter().map(|column| &column.name).collect()
}
