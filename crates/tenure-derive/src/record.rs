//! A record: what the macro knows about the struct.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Data, DeriveInput, Field, Fields, FieldsNamed, GenericParam, Generics, Ident, Lifetime, LifetimeParam,
    Path, Type, TypeParam, Visibility, WherePredicate, parse_quote,
};

use crate::attributes::{self, Use};
use crate::{self_type, validate};

/// The struct.
pub(crate) struct Record {
    /// Where tenure is.
    pub(crate) krate: Path,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    /// Attributes for what is generated.
    pub(crate) attributes: Vec<Attribute>,
    /// The parameters of the struct.
    pub(crate) generics: Generics,
    /// The same after `'__row`, which they all outlive.
    pub(crate) row_generics: Generics,
    pub(crate) columns: Vec<Column>,
    pub(crate) skipped: Vec<Skipped>,
}

/// A field that becomes a column.
pub(crate) struct Column {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    pub(crate) ty: Type,
    /// Its type is a row, and its column has columns.
    pub(crate) nested: bool,
    /// A variable that no field's name can clash with.
    pub(crate) local: Ident,
}

/// A field without a column.
pub(crate) struct Skipped {
    pub(crate) name: Ident,
    pub(crate) ty: Type,
    pub(crate) local: Ident,
}

impl Record {
    /// Reads the struct. Fails with all that is wrong in it.
    pub(crate) fn read(input: &DeriveInput) -> syn::Result<Self> {
        let (columns, skipped) = read_fields(named_fields(input)?)?;
        Ok(Self {
            krate: attributes::crate_path(&input.attrs)?,
            visibility: input.vis.clone(),
            name: input.ident.clone(),
            attributes: attributes::of_struct(&input.attrs),
            generics: input.generics.clone(),
            row_generics: outliving_the_row(&input.generics),
            columns,
            skipped,
        })
    }

    /// The struct as a type.
    pub(crate) fn ty(&self) -> TokenStream {
        with_arguments(&self.name, &self.generics)
    }

    /// The column that answers for all. There is one: `validate` has seen to it.
    pub(crate) fn first(&self) -> &Ident {
        &self.columns[0].name
    }

    /// Whether a parameter occurs in skipped fields only: a struct of the others must name it all the same.
    pub(crate) fn has_idle_parameters(&self) -> bool {
        let is_idle =
            |name: String| !self.columns.iter().any(|it| self_type::mentions(it.ty.to_token_stream(), &name));
        let mut types = self.generics.type_params().map(|it| it.ident.to_string());
        let mut lifetimes = self.generics.lifetimes().map(|it| it.lifetime.ident.to_string());
        types.any(is_idle) || lifetimes.any(is_idle)
    }
}

fn named_fields(input: &DeriveInput) -> syn::Result<&FieldsNamed> {
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => Ok(fields),
            Fields::Unnamed(fields) => Err(validate::tuple_struct(fields)),
            Fields::Unit => Err(validate::no_fields(&input.ident)),
        },
        Data::Enum(data) => Err(validate::not_a_struct(data.enum_token, "an enum")),
        Data::Union(data) => Err(validate::not_a_struct(data.union_token, "a union")),
    }
}

fn read_fields(fields: &FieldsNamed) -> syn::Result<(Vec<Column>, Vec<Skipped>)> {
    let (mut columns, mut skipped) = (Vec::new(), Vec::new());
    let mut errors = Vec::new();
    for (number, field) in fields.named.iter().enumerate() {
        match attributes::field_use(&field.attrs) {
            Ok(Use::Skipped) => skipped.push(Skipped::read(number, field)),
            Ok(kept) => columns.push(Column::read(number, field, kept == Use::Nested)),
            Err(error) => errors.push(error),
        }
    }
    validate::all(errors)?;
    Ok((columns, skipped))
}

impl Column {
    fn read(number: usize, field: &Field, nested: bool) -> Self {
        Self {
            attributes: attributes::of_field(&field.attrs),
            visibility: field.vis.clone(),
            name: name(field),
            ty: field.ty.clone(),
            nested,
            local: format_ident!("__column{number}"),
        }
    }
}

impl Skipped {
    fn read(number: usize, field: &Field) -> Self {
        Self { name: name(field), ty: field.ty.clone(), local: format_ident!("__skipped{number}") }
    }
}

fn name(field: &Field) -> Ident {
    field.ident.clone().expect("the fields of a struct with braces have names")
}

/// `Name<'a, T>`
pub(crate) fn with_arguments(name: &Ident, generics: &Generics) -> TokenStream {
    let (_, arguments, _) = generics.split_for_impl();
    quote!(#name #arguments)
}

/// The parameters after a lifetime.
pub(crate) fn borrowed_for(lifetime: &Lifetime, generics: &Generics) -> Generics {
    let mut borrowed = generics.clone();
    borrowed.params = Punctuated::from_iter([GenericParam::Lifetime(LifetimeParam::new(lifetime.clone()))]);
    borrowed.params.extend(generics.params.iter().cloned());
    borrowed
}

fn outliving_the_row(generics: &Generics) -> Generics {
    let mut outliving = borrowed_for(&parse_quote!('__row), generics);
    if !generics.params.is_empty() {
        outliving.make_where_clause().predicates.extend(generics.params.iter().filter_map(outlives_the_row));
    }
    outliving
}

fn outlives_the_row(parameter: &GenericParam) -> Option<WherePredicate> {
    match parameter {
        GenericParam::Lifetime(LifetimeParam { lifetime, .. }) => Some(parse_quote!(#lifetime: '__row)),
        GenericParam::Type(TypeParam { ident, .. }) => Some(parse_quote!(#ident: '__row)),
        GenericParam::Const(_) => None,
    }
}
