//! The parts: the generated structs. Each has a field for every column, and they differ in the
//! types of the fields.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{Generics, Ident};

use crate::names::{MARKER, ROW_LIFE, own};
use crate::record::{Column, Record, with_arguments};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// The storage of the rows.
    Storage,
    /// A row.
    Ref,
    /// A row, mutably.
    Mut,
    /// All columns.
    Slices,
    /// All columns, mutably.
    SlicesMut,
    /// A row without its skipped fields.
    Parts,
    /// The iterators.
    Iter,
    IterMut,
    IntoParts,
}

impl Part {
    /// The public parts.
    pub(crate) const VIEWS: [Self; 4] = [Self::Ref, Self::Mut, Self::Slices, Self::SlicesMut];

    /// The parts that borrow.
    pub(crate) const BORROWED: [Self; 6] =
        [Self::Ref, Self::Mut, Self::Slices, Self::SlicesMut, Self::Iter, Self::IterMut];

    /// The name of the part of a record.
    pub(crate) fn name(self, record: &Record) -> Ident {
        let name = record.name.unraw();
        match self {
            Self::Ref => format_ident!("{}Ref", name),
            Self::Mut => format_ident!("{}Mut", name),
            Self::Slices => format_ident!("{}Columns", name),
            Self::SlicesMut => format_ident!("{}ColumnsMut", name),
            Self::Storage => own(format_args!("{name}Storage")),
            Self::Parts => own(format_args!("{name}Parts")),
            Self::Iter => own(format_args!("{name}Iter")),
            Self::IterMut => own(format_args!("{name}IterMut")),
            Self::IntoParts => own(format_args!("{name}IntoParts")),
        }
    }

    /// The parameters of the part of a record.
    pub(crate) fn generics(self, record: &Record) -> &Generics {
        if self.is_borrowed() { &record.row_generics } else { &record.generics }
    }

    /// The part of a record as a type, with the lifetime `'__row`.
    pub(crate) fn ty(self, record: &Record) -> TokenStream {
        with_arguments(&self.name(record), self.generics(record))
    }

    /// The part of one column: the type of the field.
    pub(crate) fn of_column(self, column: &Column, record: &Record) -> TokenStream {
        let ty = &column.ty;
        match self {
            Self::Storage => column.storage(record),
            Self::Parts if !column.nested => quote!(#ty),
            Self::Ref if !column.nested => quote!(&#ROW_LIFE #ty),
            Self::Mut if !column.nested => quote!(&#ROW_LIFE mut #ty),
            Self::Slices if !column.nested => quote!(&#ROW_LIFE [#ty]),
            Self::SlicesMut if !column.nested => quote!(&#ROW_LIFE mut [#ty]),
            _ => self.projection(column, record),
        }
    }

    fn projection(self, column: &Column, record: &Record) -> TokenStream {
        let (krate, storage, name) = (&record.krate, column.storage(record), self.associated_type());
        let trait_ = if self.is_borrowed() { quote!(Views<#ROW_LIFE>) } else { quote!(Columns) };
        quote!(<#storage as #krate::table::#trait_>::#name)
    }

    fn is_borrowed(self) -> bool {
        Self::BORROWED.contains(&self)
    }

    /// The name of the part in the traits `Views` and `Columns`, which is the same as here.
    pub(crate) fn associated_type(self) -> Ident {
        format_ident!("{}", format!("{self:?}"))
    }

    /// The part of a record as an expression, from an expression for every column.
    pub(crate) fn literal(self, record: &Record, value: impl Fn(&Column) -> TokenStream) -> TokenStream {
        let name = self.name(record);
        let fields = record.columns.iter().map(|column| {
            let (name, value) = (&column.name, value(column));
            quote!(#name: #value)
        });
        let marker = record.has_idle_parameters.then(|| quote!(#MARKER: ::core::marker::PhantomData));
        quote!(#name { #(#fields,)* #marker })
    }
}

impl Column {
    /// The storage of the values of this field.
    pub(crate) fn storage(&self, record: &Record) -> TokenStream {
        let (ty, krate) = (&self.ty, &record.krate);
        if self.nested { quote!(<#ty as #krate::table::Row>::Columns) } else { quote!(#krate::__private::Vec<#ty>) }
    }
}
