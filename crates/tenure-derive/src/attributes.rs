//! The attribute `row`, and those that are carried over to what is generated.

use syn::meta::ParseNestedMeta;
use syn::{Attribute, Meta, Path, parse_quote};

use crate::self_type::mentions;

/// `#[row(…)]` of the struct: where tenure is.
pub(crate) fn crate_path(attributes: &[Attribute]) -> syn::Result<Path> {
    let mut path = None;
    for_each_word("row", attributes, |word| {
        if !word.path.is_ident("crate") {
            return Err(word.error("unknown attribute: the one for a struct is `crate = path`"));
        }
        read_crate(&word, &mut path)
    })?;
    Ok(path.unwrap_or_else(default_crate))
}

/// `crate = path`
pub(crate) fn read_crate(word: &ParseNestedMeta<'_>, path: &mut Option<Path>) -> syn::Result<()> {
    if path.is_some() {
        return Err(word.error("`crate` is there twice"));
    }
    *path = Some(word.value()?.call(Path::parse_mod_style)?);
    Ok(())
}

pub(crate) fn default_crate() -> Path {
    parse_quote!(::tenure)
}

/// What becomes of a field.
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
            _ if before == found => Err(word.error("this attribute is there twice")),
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

/// Every word in `#[name(…)]`.
pub(crate) fn for_each_word(
    name: &str,
    attributes: &[Attribute],
    mut read: impl FnMut(ParseNestedMeta<'_>) -> syn::Result<()>,
) -> syn::Result<()> {
    let mut ours = attributes.iter().filter(|attribute| attribute.path().is_ident(name));
    ours.try_for_each(|attribute| attribute.parse_nested_meta(&mut read))
}

/// The attributes of a field that its copies have too.
pub(crate) fn of_field(attributes: &[Attribute]) -> Vec<Attribute> {
    carried(attributes, |attribute| attribute.path().is_ident("doc"))
}

/// The attributes of the struct that the generated structs have too. They have their own documentation.
pub(crate) fn of_struct(attributes: &[Attribute]) -> Vec<Attribute> {
    carried(attributes, is_doc_hidden)
}

fn carried(attributes: &[Attribute], also: impl Fn(&Attribute) -> bool) -> Vec<Attribute> {
    let is_carried =
        |attribute: &&Attribute| ["allow", "expect", "deprecated"].iter().any(|name| attribute.path().is_ident(name));
    attributes.iter().filter(|attribute| is_carried(attribute) || also(attribute)).map(allow_expected).collect()
}

/// What is expected of the struct may not come true of what is generated.
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

/// Whether there is a doc comment.
pub(crate) fn is_documented(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| matches!(&attribute.meta, Meta::NameValue(pair) if pair.path.is_ident("doc")))
}
