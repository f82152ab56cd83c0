//! The attribute `row`, and attributes that are copied to the generated structs.

use quote::ToTokens;
use syn::meta::ParseNestedMeta;
use syn::{Attribute, Meta, Path, Token, parse_quote};

use crate::self_type::mentions;

/// `#[row(…)]` of the struct.
pub(crate) struct OfStruct {
    /// The path of tenure.
    pub(crate) krate: Path,
    /// The derives of `…Ref`.
    pub(crate) derives: Vec<Path>,
    /// Whether `RawColumns` is implemented for its columns.
    pub(crate) has_snapshots: bool,
}

pub(crate) fn struct_words(attributes: &[Attribute]) -> syn::Result<OfStruct> {
    let (mut krate, mut derives, mut has_snapshots) = (None, Vec::new(), false);
    for_each_word("row", attributes, |word| {
        if word.path.is_ident("derive") {
            let list;
            syn::parenthesized!(list in word.input);
            derives.extend(list.parse_terminated(Path::parse_mod_style, Token![,])?);
            return Ok(());
        }
        if word.path.is_ident("snapshot") {
            has_snapshots = true;
            return Ok(());
        }
        if !word.path.is_ident("crate") {
            let known = "those for a struct are `crate = path`, `derive(Trait)` and `snapshot`";
            return Err(word.error(format_args!("unknown attribute: {known}")));
        }
        read_crate(&word, &mut krate)
    })?;
    Ok(OfStruct { krate: krate.unwrap_or_else(default_crate), derives, has_snapshots })
}

/// The attributes of serde, which `…Ref` has, too, if it derives `Serialize`.
pub(crate) fn of_serde(attributes: &[Attribute]) -> Vec<Attribute> {
    attributes.iter().filter(|attribute| attribute.path().is_ident("serde")).cloned().collect()
}

/// Returns `true` if an attribute of serde renames the struct.
pub(crate) fn renames(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| mentions(attribute.meta.to_token_stream(), "rename"))
}

/// `crate = path`
pub(crate) fn read_crate(word: &ParseNestedMeta<'_>, path: &mut Option<Path>) -> syn::Result<()> {
    if path.is_some() {
        return Err(word.error("`crate` occurs twice"));
    }
    *path = Some(word.value()?.call(Path::parse_mod_style)?);
    Ok(())
}

pub(crate) fn default_crate() -> Path {
    parse_quote!(::tenure)
}

/// How a field is stored.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    Column,
    Nested,
    Skipped,
}

/// `#[row(…)]` of a field.
pub(crate) fn field_use(attributes: &[Attribute]) -> syn::Result<Use> {
    let mut found = Use::Column;
    for_each_word("row", attributes, |word| {
        let before = found;
        found = read_use(&word)?;
        match before {
            Use::Column => Ok(()),
            _ if before == found => Err(word.error("this attribute occurs twice")),
            _ => Err(word.error("a field is either `skip` or `nested`")),
        }
    })?;
    Ok(found)
}

fn read_use(word: &ParseNestedMeta<'_>) -> syn::Result<Use> {
    if word.path.is_ident("skip") {
        Ok(Use::Skipped)
    } else if word.path.is_ident("nested") {
        Ok(Use::Nested)
    } else {
        Err(word.error("unknown attribute: those for a field are `skip` and `nested`"))
    }
}

/// Calls the closure for every item in `#[name(…)]`.
pub(crate) fn for_each_word(
    name: &str,
    attributes: &[Attribute],
    mut read: impl FnMut(ParseNestedMeta<'_>) -> syn::Result<()>,
) -> syn::Result<()> {
    let mut ours = attributes.iter().filter(|attribute| attribute.path().is_ident(name));
    ours.try_for_each(|attribute| attribute.parse_nested_meta(&mut read))
}

/// The attributes of a field that are copied to the fields of the views.
pub(crate) fn of_field(attributes: &[Attribute]) -> Vec<Attribute> {
    carried(attributes, |attribute| attribute.path().is_ident("doc"))
}

/// The attributes of the struct that are copied to the generated structs. Their documentation is
/// not.
pub(crate) fn of_struct(attributes: &[Attribute]) -> Vec<Attribute> {
    carried(attributes, is_doc_hidden)
}

fn carried(attributes: &[Attribute], also: impl Fn(&Attribute) -> bool) -> Vec<Attribute> {
    let is_carried =
        |attribute: &&Attribute| ["allow", "expect", "deprecated"].iter().any(|name| attribute.path().is_ident(name));
    attributes.iter().filter(|attribute| is_carried(attribute) || also(attribute)).map(allow_expected).collect()
}

/// Turns `expect` into `allow`: an expected lint of the struct may not occur in generated code.
fn allow_expected(attribute: &Attribute) -> Attribute {
    let mut attribute = attribute.clone();
    match &mut attribute.meta {
        Meta::List(list) if list.path.is_ident("expect") => list.path = parse_quote!(allow),
        _ => {}
    }
    attribute
}

fn is_doc_hidden(attribute: &Attribute) -> bool {
    matches!(&attribute.meta, Meta::List(list) if list.path.is_ident("doc") && mentions(list.tokens.clone(), "hidden"))
}

/// Returns `true` if there is a doc comment.
pub(crate) fn is_documented(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| matches!(&attribute.meta, Meta::NameValue(pair) if pair.path.is_ident("doc")))
}
