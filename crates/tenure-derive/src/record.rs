//! A record: the parsed struct.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Data, DeriveInput, Field, Fields, FieldsNamed, GenericParam, Generics, Ident, Lifetime, LifetimeParam,
    Path, Type, TypeParam, Visibility, WherePredicate, parse_quote,
};

use crate::attributes::{self, OfStruct, Use};
use crate::names::{ANY, ROW_LIFE, own};
use crate::self_type::mentions;
use crate::validate;

/// The struct.
pub(crate) struct Record {
    /// The path of tenure.
    pub(crate) krate: Path,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    /// Attributes for the generated structs.
    pub(crate) attributes: Vec<Attribute>,
    /// The derives of `…Ref`.
    pub(crate) derives: Vec<Path>,
    /// Whether `RawColumns` is implemented.
    pub(crate) has_snapshots: bool,
    /// The serde attributes of the struct, if `…Ref` derives `Serialize`.
    pub(crate) serde: Vec<Attribute>,
    /// The parameters of the struct.
    pub(crate) own_generics: Generics,
    /// The same, with the assumption that nested fields are rows.
    pub(crate) generics: Generics,
    /// The same after `'__row`, which they all outlive.
    pub(crate) row_generics: Generics,
    /// Whether a parameter occurs in skipped fields only: structs without these must still use it.
    pub(crate) has_idle_parameters: bool,
    pub(crate) columns: Vec<Column>,
    pub(crate) skipped: Vec<Skipped>,
}

/// A field that becomes a column.
pub(crate) struct Column {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) serde: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) name: Ident,
    pub(crate) ty: Type,
    /// Whether its type is a row, so that its column has columns.
    pub(crate) nested: bool,
    /// A variable that no field's name can clash with.
    pub(crate) local: Ident,
}

/// A field without a column.
pub(crate) struct Skipped {
    pub(crate) name: Ident,
    pub(crate) ty: Type,
    /// As for a column.
    pub(crate) local: Ident,
}

impl Record {
    /// Reads the struct. Fails with all errors at once.
    pub(crate) fn read(input: &DeriveInput) -> syn::Result<Self> {
        let (columns, skipped) = read_fields(named_fields(input)?)?;
        let OfStruct { krate, derives, has_snapshots } = attributes::struct_words(&input.attrs)?;
        let generics = assuming_rows(&input.generics, &columns, &krate);
        Ok(Self {
            visibility: input.vis.clone(),
            name: input.ident.clone(),
            attributes: attributes::of_struct(&input.attrs),
            serde: attributes::of_serde(&input.attrs),
            derives,
            has_snapshots,
            own_generics: input.generics.clone(),
            row_generics: outliving_the_row(&generics),
            has_idle_parameters: has_idle_parameters(&generics, &columns),
            generics,
            krate,
            columns,
            skipped,
        })
    }

    /// Returns `true` if `…Ref` derives `Serialize`.
    pub(crate) fn is_saved(&self) -> bool {
        let is_serialize = |path: &Path| path.segments.last().is_some_and(|last| last.ident == "Serialize");
        self.derives.iter().any(is_serialize)
    }

    /// The struct as a type.
    pub(crate) fn ty(&self) -> TokenStream {
        with_arguments(&self.name, &self.generics)
    }

    /// The nested columns.
    pub(crate) fn nested(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(|column| column.nested)
    }

    /// The column that determines the length. It exists: `validate` has checked that.
    pub(crate) fn first(&self) -> &Ident {
        &self.columns[0].name
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
            Ok(Use::Skipped) => {
                let local = own(format_args!("skipped{number}"));
                skipped.push(Skipped { name: name(field), ty: field.ty.clone(), local });
            }
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
            serde: attributes::of_serde(&field.attrs),
            visibility: field.vis.clone(),
            name: name(field),
            ty: field.ty.clone(),
            nested,
            local: own(format_args!("column{number}")),
        }
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

/// `for<'__any>` keeps the compiler from checking the bound.
fn assuming_rows(generics: &Generics, columns: &[Column], krate: &Path) -> Generics {
    let mut assuming = generics.clone();
    for Column { ty, .. } in columns.iter().filter(|column| column.nested) {
        let predicate = parse_quote!(for<#ANY> #ty: #krate::table::Row);
        assuming.make_where_clause().predicates.push(predicate);
    }
    assuming
}

fn has_idle_parameters(generics: &Generics, columns: &[Column]) -> bool {
    let is_idle = |name: String| !columns.iter().any(|column| mentions(column.ty.to_token_stream(), &name));
    let mut types = generics.type_params().map(|it| it.ident.to_string());
    let mut lifetimes = generics.lifetimes().map(|it| it.lifetime.ident.to_string());
    types.any(is_idle) || lifetimes.any(is_idle)
}

fn outliving_the_row(generics: &Generics) -> Generics {
    let mut outliving = borrowed_for(&parse_quote!(#ROW_LIFE), generics);
    if !generics.params.is_empty() {
        outliving.make_where_clause().predicates.extend(generics.params.iter().filter_map(outlives_the_row));
    }
    outliving
}

fn outlives_the_row(parameter: &GenericParam) -> Option<WherePredicate> {
    match parameter {
        GenericParam::Lifetime(LifetimeParam { lifetime, .. }) => Some(parse_quote!(#lifetime: #ROW_LIFE)),
        GenericParam::Type(TypeParam { ident, .. }) => Some(parse_quote!(#ident: #ROW_LIFE)),
        GenericParam::Const(_) => None,
    }
}
