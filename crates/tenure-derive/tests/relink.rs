//! `#[derive(Relink)]` on types of every shape, with every attribute, and with identifiers that the
//! user may have taken.
#![allow(dead_code, unreachable_pub)]

use std::collections::{BTreeMap, HashMap};
use std::marker::PhantomData;
use std::rc::Rc;

use tenure::relink::{Relink, Relinker, Transfer, Visitor, references};
use tenure::{Compact, Handle, Layout, Pool, Wide};

type Link = Handle<str>;

/// An arbitrary handle.
fn link() -> Link {
    Handle::from_parts(7, 1).unwrap()
}

/// The paths of all visited handles; relinking visits the same ones, and clears them.
fn paths<T: Relink>(mut value: T) -> Vec<String> {
    let mut seen = Vec::new();
    references(&value, |_, path| seen.push(path.to_string()));
    let (mut empty, mut other): (Pool<(), Handle<str>>, Pool<(), Handle<str>>) = Default::default();
    let relinked = Transfer::new().merge(&mut empty, &mut other).value("it", &mut value).run().unwrap();
    let cleared: Vec<_> = relinked.cleared().iter().map(|it| it.path["it".len()..].to_owned()).collect();
    assert!(seen.iter().zip(&cleared).all(|(seen, cleared)| seen.ends_with(cleared)), "{seen:?}, {cleared:?}");
    assert_eq!(seen.len(), cleared.len());
    references(&value, |_, path| panic!("{path} was not cleared"));
    seen
}

#[test]
fn structs_of_all_shapes() {
    #[derive(Relink)]
    struct Named {
        first: Link,
        r#fn: Option<Link>,
        number: u8,
    }
    #[derive(Relink)]
    struct Tuple(u8, Link, [Link; 2]);
    #[derive(Relink)]
    struct Unit;
    #[derive(Relink)]
    struct Empty {}

    assert_eq!(paths(Named { first: link(), r#fn: Some(link()), number: 1 }), ["Named.first", "Named.fn"]);
    assert_eq!(paths(Tuple(1, link(), [link(); 2])), ["Tuple.1", "Tuple.2[0]", "Tuple.2[1]"]);
    assert!(paths(Unit).is_empty() && paths(Empty {}).is_empty());
}

#[test]
fn enums_of_all_shapes() {
    #[derive(Relink)]
    enum Shape {
        Unit,
        Tuple(Link, u8),
        Named { target: Link, others: Vec<Link> },
        Nothing {},
        Deep(Box<Shape>),
    }
    #[derive(Relink)]
    enum Never {}

    assert!(paths(Shape::Unit).is_empty() && paths(Shape::Nothing {}).is_empty());
    assert_eq!(paths(Shape::Tuple(link(), 1)), ["Shape::Tuple.0"]);
    let named = || Shape::Named { target: link(), others: vec![link()] };
    assert_eq!(paths(named()), ["Shape::Named.target", "Shape::Named.others[0]"]);
    let deep = Shape::Deep(Box::new(named()));
    assert_eq!(paths(deep), ["Shape::Deep.0::Named.target", "Shape::Deep.0::Named.others[0]"]);
    assert!(paths(None::<Never>).is_empty());
}

#[test]
fn types_that_hold_themselves() {
    #[derive(Relink)]
    struct Tree<T> {
        me: Handle<Tree<T>>,
        value: T,
        children: Vec<Tree<T>>,
        index: BTreeMap<u8, Option<Box<Self>>>,
    }

    let leaf = |value| Tree { me: Handle::NIL, value, children: Vec::new(), index: BTreeMap::new() };
    let tree = Tree {
        children: vec![leaf(Some(link()))],
        index: [(3, Some(Box::new(leaf(Some(link())))))].into(),
        ..leaf(None)
    };
    assert_eq!(paths(tree), ["Tree.children[0].value", "Tree.index[3].value"]);
}

/// A type without handles that does not implement `Relink`.
struct Opaque;

#[test]
fn fields_are_skipped_or_handled_by_a_module() {
    mod by_hand {
        use super::{Link, Opaque, Relinker, Visitor};

        pub(super) fn visit((_, link): &(Opaque, Link), visitor: &mut Visitor<'_>) {
            visitor.at_index(9).handle(*link);
        }

        pub(super) fn relink((_, link): &mut (Opaque, Link), relinker: &mut Relinker<'_>) {
            relinker.at_index(9).handle(link);
        }
    }

    #[derive(Relink)]
    struct Fields<T> {
        #[relink(skip)]
        opaque: Rc<Opaque>,
        #[relink(skip)]
        generic: T,
        #[relink(with = by_hand)]
        strange: (Opaque, Link),
        #[relink(with = tenure::relink::map)]
        map: HashMap<&'static str, Vec<Link>>,
        #[relink(with = tenure::relink::set)]
        set: std::collections::HashSet<(Link, bool)>,
    }

    let fields = Fields {
        opaque: Rc::new(Opaque),
        generic: Opaque,
        strange: (Opaque, link()),
        map: [("boss", vec![link()])].into(),
        set: [(link(), true)].into(),
    };
    let expected = ["Fields.strange[9]", "Fields.map[\"boss\"][0]", "Fields.set[(str(7v1), true)].0"];
    assert_eq!(paths(fields), expected);
}

#[test]
fn bounds_are_added_only_where_needed() {
    trait Family {
        type Member;
    }
    struct Goblins;
    impl Family for Goblins {
        type Member = Link;
    }

    /// There are no bounds on kinds of handles, nor on the parameter of `PhantomData`.
    #[derive(Relink)]
    struct About<K: ?Sized, L: Layout, T> {
        link: tenure::Handle<K, L>,
        about: PhantomData<T>,
    }
    #[derive(Relink)]
    struct Projected<F: Family> {
        member: F::Member,
        members: Vec<<F as Family>::Member>,
    }
    #[derive(Relink)]
    struct Nested<'a, T, const N: usize>
    where
        T: Clone,
    {
        name: &'a str,
        values: ([T; N], Option<Box<[T]>>),
    }
    type Alias<T> = Handle<T>;
    /// Bounds that the macro cannot infer can be given.
    #[derive(Relink)]
    #[relink(bound(T: 'static))]
    struct Bound<T> {
        link: Alias<T>,
    }

    let about: About<Opaque, Compact, Opaque> = About { link: Handle::NIL, about: PhantomData };
    assert!(paths(about).is_empty());
    assert_eq!(paths(Projected::<Goblins> { member: link(), members: vec![link()] }).len(), 2);
    let nested = Nested { name: "x", values: ([link(); 2], Some(Box::new([link()]))) };
    assert_eq!(paths(nested), ["Nested.values.0[0]", "Nested.values.0[1]", "Nested.values.1[0]"]);
    assert!(paths(Bound::<Opaque> { link: Handle::NIL }).is_empty());
}

/// Several kinds of handles in one type.
#[test]
fn kinds_of_handles_are_distinguished() {
    struct Item;
    #[derive(Relink)]
    struct Goblin {
        friend: Handle<Goblin>,
        carries: Handle<Item, Compact>,
        wants: Handle<Item>,
    }
    let goblin = Goblin {
        friend: Handle::from_parts(1, 1).unwrap(),
        carries: Handle::from_parts(1, 1).unwrap(),
        wants: Handle::from_parts(1, 1).unwrap(),
    };
    let mut kinds = Vec::new();
    references(&goblin, |handle, _| {
        let kind = [
            handle.downcast::<Goblin, Wide>().is_some(),
            handle.downcast::<Item, Compact>().is_some(),
            handle.downcast::<Item, Wide>().is_some(),
        ];
        kinds.push(kind);
    });
    assert_eq!(kinds, [[true, false, false], [false, true, false], [false, false, true]]);
}

/// Modules, types and methods that hide others.
mod taken {
    #![allow(non_upper_case_globals)]

    mod alloc {}
    mod core {}
    mod relink {}
    mod std {}
    mod tenure {}

    pub struct Option;
    pub struct Relinker;
    pub struct Some;
    pub struct Vec;
    pub struct Visitor;
    pub trait Relink {}

    const row: u8 = 0;
    const visitor: u8 = 0;
    const relinker: u8 = 0;

    pub trait Everywhere: Sized {
        fn at_field(self) {}
        fn at_variant(self) {}
        fn visit(self) {}
        fn handle(self) {}
    }
    impl<T> Everywhere for T {}

    #[derive(::tenure::Relink)]
    pub enum Named {
        Some { visitor: super::Link, relinker: super::Link, __visitor: super::Link, __field0: super::Link },
        None(#[relink(skip)] Option),
    }
}

/// Without the prelude.
mod bare {
    #![no_implicit_prelude]

    #[derive(::tenure::Relink)]
    pub struct Bare<T> {
        pub value: T,
        #[relink(with = ::tenure::relink::map)]
        pub map: ::std::collections::HashMap<u8, T>,
    }
}

/// Tenure under another name and path.
mod renamed {
    pub mod deps {
        pub use ::tenure as slots;
    }
    mod tenure {}

    #[derive(deps::slots::Relink)]
    #[relink(crate = deps::slots)]
    pub struct Relative<T> {
        pub value: T,
    }
}

/// Types that come from a macro.
macro_rules! make {
    ($name:ident, $field:ident: $type:ty) => {
        #[derive(Relink)]
        struct $name {
            $field: $type,
            other: Vec<$type>,
        }
    };
}

make!(Made, __visitor: Option<Link>);

#[test]
fn taken_names_are_harmless() {
    let named = taken::Named::Some { visitor: link(), relinker: link(), __visitor: link(), __field0: link() };
    assert_eq!(paths(named)[3], "Named::Some.__field0");
    assert_eq!(paths(bare::Bare { value: link(), map: [(1, link())].into() }), ["Bare.value", "Bare.map[1]"]);
    assert_eq!(paths(renamed::Relative { value: link() }), ["Relative.value"]);
    assert_eq!(paths(Made { __visitor: Some(link()), other: vec![None] }), ["Made.__visitor"]);
}
