//! The requirements on a struct, and the errors if they are not met.

use quote::ToTokens;
use syn::{Error, FieldsUnnamed, Ident};

use crate::record::{Column, Record};
use crate::self_type::mentions;

/// Checks requirements on the struct as a whole.
pub(crate) fn check(record: &Record) -> syn::Result<()> {
    if !record.columns.is_empty() {
        return all(columns_without_a_type(record));
    }
    if record.skipped.is_empty() {
        return Err(no_fields(&record.name));
    }
    Err(Error::new_spanned(&record.name, "no column is left: a row needs at least one field without `#[row(skip)]`"))
}

/// A raw snapshot contains the name of the type of a column. The name of a parameter does not
/// identify a type.
fn columns_without_a_type(record: &Record) -> Vec<Error> {
    let columns = record.columns.iter().filter(|column| record.has_snapshots && !column.nested);
    let is_open = |column: &&Column| {
        let mut parameters = record.own_generics.type_params();
        parameters.any(|it| mentions(column.ty.to_token_stream(), &it.ident.to_string()))
    };
    let error = |Column { ty, .. }: &Column| {
        Error::new_spanned(ty, "a raw snapshot needs the name of a concrete type, not of a type parameter")
    };
    columns.filter(is_open).map(error).collect()
}

/// Combines errors into one.
pub(crate) fn all(errors: Vec<Error>) -> syn::Result<()> {
    let combined = errors.into_iter().reduce(|mut all, error| {
        all.combine(error);
        all
    });
    combined.map_or(Ok(()), Err)
}

pub(crate) fn no_fields(name: &Ident) -> Error {
    Error::new_spanned(
        name,
        "a row without fields has no columns: give it a field, or use `Pool<()>` if you only need the handles",
    )
}

pub(crate) fn tuple_struct(fields: &FieldsUnnamed) -> Error {
    Error::new_spanned(
        fields,
        "columns are named after the fields: name them, as in `struct Creature { pos: Vec2 }`, or use a `DensePool` for one value per row",
    )
}

pub(crate) fn not_a_struct(keyword: impl ToTokens, what: &str) -> Error {
    let what =
        format!("{what} has no fields to make columns of: use a struct, or a `DensePool` for one value per row");
    Error::new_spanned(keyword, what)
}
