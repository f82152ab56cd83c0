//! The identifiers of the generated code. They cannot clash with those of the user:
//!
//! - They begin with a prefix that no identifier of the input begins with. So no field, parameter,
//!   lifetime or type that the struct mentions is one of them.
//! - A constant, a static or a unit struct that the input does not mention may still be in scope,
//!   and a pattern would refer to it instead of binding a variable. [`shadows`] hides these with
//!   functions, which a variable may shadow.

use std::cell::RefCell;
use std::fmt::Display;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::Lifetime;
use syn::ext::IdentExt;

thread_local! {
    /// The prefix for the input that is being expanded: one input is expanded at a time.
    static PREFIX: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Chooses the prefix for this input.
pub(crate) fn choose_prefix(input: &TokenStream) {
    let mut prefix = String::from("__");
    while has_prefix(input.clone(), &prefix) {
        prefix.push('_');
    }
    PREFIX.set(prefix);
}

/// Returns `true` if an identifier, or a lifetime, begins with the prefix.
fn has_prefix(tokens: TokenStream, prefix: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident.unraw().to_string().starts_with(prefix),
        TokenTree::Group(group) => has_prefix(group.stream(), prefix),
        _ => false,
    })
}

/// An identifier of the generated code.
pub(crate) fn own(word: impl Display) -> Ident {
    PREFIX.with_borrow(|prefix| format_ident!("{prefix}{}", word.to_string()))
}

/// A lifetime of the generated code.
pub(crate) fn own_lifetime(word: &str) -> Lifetime {
    Lifetime { apostrophe: Span::call_site(), ident: own(word) }
}

/// An identifier of the generated code, for `quote!`. (Within a repetition it must be a variable:
/// `let tenure = TENURE;`.)
#[derive(Clone, Copy)]
pub(crate) struct Own(&'static str);

impl ToTokens for Own {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        own(self.0).to_tokens(tokens);
    }
}

/// A lifetime of the generated code, for `quote!`.
pub(crate) struct OwnLifetime(&'static str);

impl ToTokens for OwnLifetime {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        own_lifetime(self.0).to_tokens(tokens);
    }
}

/// The module of tenure that the generated code uses.
pub(crate) const TENURE: Own = Own("tenure");
/// The field that uses parameters.
pub(crate) const MARKER: Own = Own("marker");
/// Parameters of `fold`.
pub(crate) const SUM: Own = Own("A");
pub(crate) const STEP: Own = Own("F");
/// The lifetime of borrows.
pub(crate) const ROW_LIFE: OwnLifetime = OwnLifetime("row");
/// For a higher-ranked bound, which the compiler does not check at its place.
pub(crate) const ANY: OwnLifetime = OwnLifetime("any");

macro_rules! variables {
    ($($name:ident = $word:literal,)*) => {
        $(pub(crate) const $name: Own = Own($word);)*

        /// All variables except numbered ones.
        const VARIABLES: &[Own] = &[$($name),*];
    };
}

variables! {
    A = "a",
    ADDITIONAL = "additional",
    B = "b",
    CAPACITY = "capacity",
    FIELD = "field",
    FORMATTER = "f",
    KEPT = "kept",
    LEN = "len",
    LIST = "list",
    N = "n",
    ORDER = "order",
    OTHER = "other",
    PARTS = "parts",
    ROW = "row",
    SLICES = "slices",
    SO_FAR = "so_far",
    SOURCE = "source",
    START = "start",
    STEP_OF = "step",
    STRUCT = "struct",
    UNFINISHED = "unfinished",
    VISITOR = "visitor",
}

/// Functions that hide other items with the names of the variables. See above. (A name that begins
/// with `_` need not be used.)
pub(crate) fn shadows<'a>(numbered: impl Iterator<Item = &'a Ident>) -> TokenStream {
    let variables = VARIABLES;
    quote!(#(fn #variables() {})* #(fn #numbered() {})*)
}
