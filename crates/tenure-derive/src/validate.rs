//! The requirements on a struct, and the errors if they are not met.

use quote::ToTokens;
use syn::{Error, FieldsUnnamed, GenericArgument, Ident, PathArguments, PathSegment, Type};

use crate::record::{Column, Record};
use crate::self_type::mentions;

/// Checks requirements on the struct as a whole.
pub(crate) fn check(record: &Record) -> syn::Result<()> {
    if !record.columns.is_empty() {
        let mut errors = columns_without_a_type(record);
        errors.extend(optional_handles(record));
        return all(errors);
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

/// Bytemuck takes an `Option` only where all bit patterns are valid, and those of a handle are not.
/// Its own error does not mention handles.
fn optional_handles(record: &Record) -> impl Iterator<Item = Error> {
    let columns = record.columns.iter().filter(|column| record.has_snapshots && !column.nested);
    columns.filter(|column| has_optional_handle(&column.ty)).map(|Column { ty, .. }| {
        Error::new_spanned(
            ty,
            "a raw snapshot has no optional handles: use a plain `Handle`, and `Handle::NIL` where there is none",
        )
    })
}

/// Returns `true` for `Option<Handle<…>>`, with any paths, and for arrays of it. Only the names are
/// known here, so an alias of a handle is not found.
fn has_optional_handle(ty: &Type) -> bool {
    match ty {
        Type::Array(array) => has_optional_handle(&array.elem),
        Type::Paren(inner) => has_optional_handle(&inner.elem),
        Type::Group(inner) => has_optional_handle(&inner.elem),
        _ => {
            argument_of(ty, "Option").is_some_and(|inner| last_segment(inner).is_some_and(|it| it.ident == "Handle"))
        }
    }
}

/// Returns the type argument of a type with this name.
fn argument_of<'t>(ty: &'t Type, name: &str) -> Option<&'t Type> {
    let segment = last_segment(ty).filter(|segment| segment.ident == name)?;
    match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => arguments.args.iter().find_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        }),
        _ => None,
    }
}

fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match ty {
        Type::Path(path) => path.path.segments.last(),
        Type::Paren(inner) => last_segment(&inner.elem),
        Type::Group(inner) => last_segment(&inner.elem),
        _ => None,
    }
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
