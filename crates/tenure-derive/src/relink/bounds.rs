//! The bounds of the parameters of a generic type, so that its fields can be relinked.
//!
//! A bound for every field (`Vec<Node<T>>: Relink`) would be a cycle for the compiler where a type
//! contains itself. So there are bounds on parameters only, and only on those that occur where
//! handles can be.

use quote::ToTokens;
use syn::{GenericArgument, Generics, Ident, Path, PathArguments, Type, WherePredicate, parse_quote};

use super::shape::Shape;
use crate::self_type::mentions;

/// The parameters of the type, with their bounds.
pub(crate) fn with_bounds(shape: &Shape) -> Generics {
    let mut generics = shape.generics.clone();
    let clause = generics.make_where_clause();
    match &shape.bound {
        Some(bound) => clause.predicates.extend(bound.iter().cloned()),
        None => clause.predicates.extend(found(shape)),
    }
    generics
}

fn found(shape: &Shape) -> Vec<WherePredicate> {
    let parameters = shape.generics.type_params().map(|it| it.ident.clone()).collect();
    let mut finder = Finder { parameters, krate: &shape.krate, found: Vec::new() };
    shape.fields().filter(|field| field.with.is_none()).for_each(|field| finder.look_at(&field.ty));
    finder.found
}

struct Finder<'a> {
    parameters: Vec<Ident>,
    krate: &'a Path,
    found: Vec<WherePredicate>,
}

impl Finder<'_> {
    fn look_at(&mut self, ty: &Type) {
        match ty {
            Type::Path(path) if path.qself.is_some() => self.must_relink(ty),
            Type::Path(path) => self.look_at_path(ty, &path.path),
            Type::Tuple(tuple) => tuple.elems.iter().for_each(|ty| self.look_at(ty)),
            Type::Array(array) => self.look_at(&array.elem),
            Type::Slice(slice) => self.look_at(&slice.elem),
            Type::Paren(inner) => self.look_at(&inner.elem),
            Type::Group(inner) => self.look_at(&inner.elem),
            _ => {}
        }
    }

    fn look_at_path(&mut self, ty: &Type, path: &Path) {
        let Some(last) = path.segments.last() else { return };
        if self.parameters.contains(&path.segments[0].ident) {
            // `T`, or `T::Item`.
            self.must_relink(ty);
        } else if last.ident == "Handle" {
            self.must_have_no_lifetime(ty);
        } else if let (PathArguments::AngleBracketed(arguments), false) =
            (&last.arguments, last.ident == "PhantomData")
        {
            for argument in &arguments.args {
                if let GenericArgument::Type(ty) = argument {
                    self.look_at(ty);
                }
            }
        }
    }

    fn must_relink(&mut self, ty: &Type) {
        let krate = self.krate;
        self.add(parse_quote!(#ty: #krate::relink::Relink));
    }

    /// The kind of a handle is identified by its `TypeId`, so it must be `'static`.
    fn must_have_no_lifetime(&mut self, handle: &Type) {
        let mentioned = |name: &&Ident| mentions(handle.to_token_stream(), &name.to_string());
        for name in self.parameters.iter().filter(mentioned).cloned().collect::<Vec<_>>() {
            self.add(parse_quote!(#name: 'static));
        }
    }

    fn add(&mut self, predicate: WherePredicate) {
        let text = |predicate: &WherePredicate| predicate.to_token_stream().to_string();
        if !self.found.iter().any(|other| text(other) == text(&predicate)) {
            self.found.push(predicate);
        }
    }
}
