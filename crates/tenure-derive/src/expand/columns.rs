//! `impl Views` and `impl Columns` for the storage. An operation on rows calls the same operation
//! of the trait for every column.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::parse_quote;

use super::implement;
use super::structs::skipped_name;
use crate::names::{A, ADDITIONAL, B, CAPACITY, KEPT, LEN, MARKER, ORDER, PARTS, ROW, ROW_LIFE, SLICES, TENURE};
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
    implement(&quote!(#TENURE::Columns), &record.generics, &Part::Storage.ty(record), &quote!(#(#items)*))
}

fn empty(record: &Record) -> TokenStream {
    let literal = Part::Storage.literal(record, |_| quote!(#TENURE::Columns::EMPTY));
    quote!(const EMPTY: Self = #literal;)
}

/// The borrowed forms of the storage. The bounds that parameters outlive the row are omitted: the
/// trait has them, and repeating them would require them for every lifetime.
pub(super) fn views(record: &Record) -> TokenStream {
    let generics = borrowed_for(&parse_quote!(#ROW_LIFE), &record.generics);
    let types = Part::BORROWED.map(|part| {
        let (name, ty) = (part.associated_type(), part.ty(record));
        quote!(type #name = #ty;)
    });
    implement(&quote!(#TENURE::Views<#ROW_LIFE>), &generics, &Part::Storage.ty(record), &quote!(#(#types)*))
}

fn associated_types(record: &Record) -> TokenStream {
    let (row, skipped) = (record.ty(), with_arguments(&skipped_name(record), &record.generics));
    let (parts, into_iter_parts) = (Part::Parts.ty(record), Part::IntoParts.ty(record));
    quote! {
        type Row = #row;
        type Parts = #parts;
        type Skipped = #skipped;
        type IntoParts = #into_iter_parts;
        type IntoIter = #TENURE::IntoRows<Self>;
    }
}

fn counts(record: &Record) -> TokenStream {
    let (tenure, len, smallest) = (TENURE, LEN, CAPACITY);
    let (first, names) = (record.first(), names(record));
    let others = &names[1..];
    quote! {
        #[inline]
        fn len(&self) -> ::core::primitive::usize {
            #tenure::Columns::len(&self.#first)
        }

        fn has_len(&self, #len: ::core::primitive::usize) -> ::core::primitive::bool {
            #(#tenure::Columns::has_len(&self.#names, #len))&&*
        }

        #[inline]
        fn capacity(&self) -> ::core::primitive::usize {
            let #smallest = #tenure::Columns::capacity(&self.#first);
            #(let #smallest = ::core::cmp::Ord::min(#smallest, #tenure::Columns::capacity(&self.#others));)*
            #smallest
        }

        fn bytes(&self) -> ::core::primitive::usize {
            #(#tenure::Columns::bytes(&self.#names))+*
        }
    }
}

fn reserve(record: &Record, method: &str) -> TokenStream {
    let (tenure, additional) = (TENURE, ADDITIONAL);
    let (method, names) = (format_ident!("{method}"), names(record));
    quote! {
        #[inline]
        fn #method(&mut self, #additional: ::core::primitive::usize) -> ::core::result::Result<(), #tenure::TryReserveError> {
            #(#tenure::Columns::#method(&mut self.#names, #additional)?;)*
            ::core::result::Result::Ok(())
        }
    }
}

/// Returns the fields without a column: the row is in every column before one of them is dropped.
fn push_parts(record: &Record) -> TokenStream {
    let push = |Column { name, .. }: &Column| quote!(#TENURE::Columns::push_parts(&mut self.#name, #ROW.#name));
    let plain = record.columns.iter().filter(|column| !column.nested).map(push);
    let nested = record.nested().map(|column| {
        let (local, push) = (&column.local, push(column));
        quote!(#local: #push)
    });
    let own = record.skipped.iter().map(|Skipped { name, local, .. }| quote!(#local: #ROW.#name));
    let skipped = skipped_name(record);
    quote! {
        #[inline]
        fn push_parts(&mut self, #ROW: Self::Row) -> Self::Skipped {
            #(#plain;)*
            #skipped { #(#nested,)* #(#own,)* #MARKER: ::core::marker::PhantomData }
        }
    }
}

fn pop_parts(record: &Record) -> TokenStream {
    let literal =
        Part::Parts.literal(record, |Column { name, .. }| quote!(#TENURE::Columns::pop_parts(&mut self.#name)?));
    quote! {
        #[inline]
        fn pop_parts(&mut self) -> ::core::option::Option<Self::Parts> {
            ::core::option::Option::Some(#literal)
        }
    }
}

fn swap_remove_parts(record: &Record) -> TokenStream {
    let literal = Part::Parts
        .literal(record, |Column { name, .. }| quote!(#TENURE::Columns::swap_remove_parts(&mut self.#name, #ROW)?));
    quote! {
        #[inline]
        fn swap_remove_parts(&mut self, #ROW: ::core::primitive::usize) -> ::core::option::Option<Self::Parts> {
            ::core::option::Option::Some(#literal)
        }
    }
}

/// The only place where skipped fields are created.
fn complete(record: &Record) -> TokenStream {
    let name = &record.name;
    let columns = record.columns.iter().map(|column| {
        let (name, storage) = (&column.name, column.storage(record));
        let value = quote!(#PARTS.#name);
        if column.nested {
            quote!(#name: <#storage as #TENURE::Columns>::complete(#value))
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
        fn complete(#PARTS: Self::Parts) -> Self::Row {
            #name { #(#columns,)* #(#skipped,)* }
        }
    }
}

/// A tuple drops all its elements, in order, even if one of them panics.
fn truncate(record: &Record) -> TokenStream {
    let (tenure, len) = (TENURE, LEN);
    let names = names(record);
    quote! {
        fn truncate(&mut self, #len: ::core::primitive::usize) {
            ::core::mem::drop((#(#tenure::TruncateLater(&mut self.#names, #len),)*));
        }
    }
}

/// Methods that move rows, or only change the capacity.
fn moves(record: &Record) -> TokenStream {
    let (tenure, a, b, kept, order, len) = (TENURE, A, B, KEPT, ORDER, LEN);
    let names = names(record);
    quote! {
        #[inline]
        fn swap(&mut self, #a: ::core::primitive::usize, #b: ::core::primitive::usize) {
            #(#tenure::Columns::swap(&mut self.#names, #a, #b);)*
        }

        fn pack(&mut self, #kept: &#tenure::Kept) {
            #(#tenure::Columns::pack(&mut self.#names, #kept);)*
        }

        fn gather(&mut self, #order: &#tenure::Order) {
            #(#tenure::Columns::gather(&mut self.#names, #order);)*
        }

        fn shrink_to(&mut self, #len: ::core::primitive::usize) {
            #(#tenure::Columns::shrink_to(&mut self.#names, #len);)*
        }
    }
}

fn row(record: &Record, method: &str, part: Part, borrow: &TokenStream) -> TokenStream {
    let (method, ty) = (format_ident!("{method}"), part.associated_type());
    let literal =
        part.literal(record, |Column { name, .. }| quote!(#TENURE::Columns::#method(#borrow self.#name, #ROW)?));
    quote! {
        #[inline]
        fn #method(#borrow self, #ROW: ::core::primitive::usize) -> ::core::option::Option<<Self as #TENURE::Views<'_>>::#ty> {
            ::core::option::Option::Some(#literal)
        }
    }
}

/// A method that returns a part of all rows: the same part of every column.
fn whole(record: &Record, method: &str, part: Part, borrow: &TokenStream) -> TokenStream {
    let (method, ty) = (format_ident!("{method}"), part.associated_type());
    let literal = part.literal(record, |Column { name, .. }| quote!(#TENURE::Columns::#method(#borrow self.#name)));
    quote! {
        #[inline]
        fn #method(#borrow self) -> <Self as #TENURE::Views<'_>>::#ty {
            #literal
        }
    }
}

fn split_at(record: &Record) -> TokenStream {
    let splits = record.columns.iter().map(|column| {
        let (name, local, storage) = (&column.name, &column.local, column.storage(record));
        quote!(let #local = <#storage as #TENURE::Columns>::split_at(#SLICES.#name, #ROW);)
    });
    // Spelled as in the trait, so that the lifetime is the same kind of parameter (early-bound or
    // late-bound).
    let ty = quote!(<Self as #TENURE::Views<#ROW_LIFE>>::SlicesMut);
    let before = Part::SlicesMut.literal(record, |Column { local, .. }| quote!(#local.0));
    let after = Part::SlicesMut.literal(record, |Column { local, .. }| quote!(#local.1));
    quote! {
        #[inline]
        fn split_at<#ROW_LIFE>(#SLICES: #ty, #ROW: ::core::primitive::usize) -> (#ty, #ty) {
            #(#splits)*
            (#before, #after)
        }
    }
}

fn iter_slices(record: &Record) -> TokenStream {
    let literal = Part::IterMut.literal(record, |column| {
        let (name, storage) = (&column.name, column.storage(record));
        quote!(<#storage as #TENURE::Columns>::iter_slices(#SLICES.#name))
    });
    quote! {
        #[inline]
        fn iter_slices<#ROW_LIFE>(#SLICES: <Self as #TENURE::Views<#ROW_LIFE>>::SlicesMut) -> <Self as #TENURE::Views<#ROW_LIFE>>::IterMut {
            #literal
        }
    }
}

fn into_iter_parts(record: &Record) -> TokenStream {
    let literal =
        Part::IntoParts.literal(record, |Column { name, .. }| quote!(#TENURE::Columns::into_iter_parts(self.#name)));
    quote! {
        fn into_iter_parts(self) -> Self::IntoParts {
            #literal
        }

        fn into_iter(self) -> Self::IntoIter {
            #TENURE::IntoRows::new(self)
        }
    }
}

fn names(record: &Record) -> Vec<&syn::Ident> {
    record.columns.iter().map(|column| &column.name).collect()
}
