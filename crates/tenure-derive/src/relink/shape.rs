//! The parsed type: its fields, variant by variant.

use syn::meta::ParseNestedMeta;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Data, DeriveInput, Error, Fields, Generics, Ident, Member, Path, Token, Type, WherePredicate,
    parenthesized,
};

use crate::attributes::{default_crate, for_each_word, read_crate};
use crate::names::own;
use crate::validate;

type Predicates = Punctuated<WherePredicate, Token![,]>;

/// The type.
pub(crate) struct Shape {
    /// The path of tenure.
    pub(crate) krate: Path,
    pub(crate) name: Ident,
    pub(crate) generics: Generics,
    /// `#[relink(bound(…))]`
    pub(crate) bound: Option<Predicates>,
    /// A struct has one variant, without a name.
    pub(crate) variants: Vec<Variant>,
}

pub(crate) struct Variant {
    pub(crate) name: Option<Ident>,
    /// Fields that are not skipped.
    pub(crate) fields: Vec<Field>,
}

pub(crate) struct Field {
    pub(crate) member: Member,
    pub(crate) ty: Type,
    /// The module whose functions handle it.
    pub(crate) with: Option<Path>,
    /// A variable that no field's name can clash with.
    pub(crate) local: Ident,
}

impl Shape {
    /// Reads the type. Fails with all errors at once.
    pub(crate) fn read(input: &DeriveInput) -> syn::Result<Self> {
        let mut errors = Vec::new();
        let (krate, bound) = or_note(of_type(&input.attrs), &mut errors).unwrap_or((None, None));
        let variants = match &input.data {
            Data::Struct(data) => vec![Variant::read(None, &data.fields, &mut errors)],
            Data::Enum(data) => {
                data.variants.iter().for_each(|variant| _ = or_note(of_variant(&variant.attrs), &mut errors));
                let variants = data.variants.iter();
                variants.map(|it| Variant::read(Some(it.ident.clone()), &it.fields, &mut errors)).collect()
            }
            Data::Union(data) => return Err(union(data.union_token)),
        };
        validate::all(errors)?;
        let krate = krate.unwrap_or_else(default_crate);
        Ok(Self { krate, name: input.ident.clone(), generics: input.generics.clone(), bound, variants })
    }

    pub(crate) fn fields(&self) -> impl Iterator<Item = &Field> {
        self.variants.iter().flat_map(|variant| &variant.fields)
    }
}

impl Variant {
    fn read(name: Option<Ident>, fields: &Fields, errors: &mut Vec<Error>) -> Self {
        let mut kept = Vec::new();
        for (number, (member, field)) in fields.members().zip(fields).enumerate() {
            let local = own(format_args!("field{number}"));
            match or_note(of_field(&field.attrs), errors) {
                Some(Use::Skip) | None => {}
                Some(Use::Field) => kept.push(Field { member, ty: field.ty.clone(), with: None, local }),
                Some(Use::With(path)) => kept.push(Field { member, ty: field.ty.clone(), with: Some(path), local }),
            }
        }
        Self { name, fields: kept }
    }
}

/// How a field is handled.
enum Use {
    Field,
    Skip,
    With(Path),
}

fn of_field(attributes: &[Attribute]) -> syn::Result<Use> {
    let mut found = Use::Field;
    for_each_word("relink", attributes, |word| {
        if !matches!(found, Use::Field) {
            return Err(word.error("a field has either `skip` or `with`, once"));
        }
        found = if word.path.is_ident("skip") {
            Use::Skip
        } else if word.path.is_ident("with") {
            Use::With(word.value()?.call(Path::parse_mod_style)?)
        } else {
            return Err(word.error("unknown attribute: those for a field are `skip` and `with = module`"));
        };
        Ok(())
    })?;
    Ok(found)
}

fn of_variant(attributes: &[Attribute]) -> syn::Result<()> {
    for_each_word("relink", attributes, |word| {
        Err(word.error("a variant has no `relink` attributes: put them on its fields or on the type"))
    })
}

fn of_type(attributes: &[Attribute]) -> syn::Result<(Option<Path>, Option<Predicates>)> {
    let (mut krate, mut bound) = (None, None);
    for_each_word("relink", attributes, |word| {
        if word.path.is_ident("crate") {
            read_crate(&word, &mut krate)
        } else if word.path.is_ident("bound") {
            read_bound(&word, &mut bound)
        } else {
            Err(word.error("unknown attribute: those for a type are `crate = path` and `bound(T: …)`"))
        }
    })?;
    Ok((krate, bound))
}

fn read_bound(word: &ParseNestedMeta<'_>, bound: &mut Option<Predicates>) -> syn::Result<()> {
    if bound.is_some() {
        return Err(word.error("`bound` occurs twice"));
    }
    let content;
    parenthesized!(content in word.input);
    *bound = Some(Predicates::parse_terminated(&content)?);
    Ok(())
}

fn or_note<T>(result: syn::Result<T>, errors: &mut Vec<Error>) -> Option<T> {
    result.map_err(|error| errors.push(error)).ok()
}

fn union(keyword: Token![union]) -> Error {
    Error::new_spanned(
        keyword,
        "a union does not record which of its fields is valid: use an enum, or implement `Relink` by hand",
    )
}
