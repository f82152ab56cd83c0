//! Identifiers of the user do not change the meaning of the generated code.
#![allow(dead_code, non_upper_case_globals, unreachable_pub, clippy::builtin_type_shadow)]

/// Modules and types that hide those of the standard library.
mod taken {
    mod alloc {}
    mod core {}
    mod std {}
    mod tenure {}
    mod table {}

    pub struct Box;
    pub struct Columns;
    pub struct Default;
    pub struct Err;
    pub struct Iterator;
    pub struct None;
    pub struct Ok;
    pub struct Option;
    pub struct Order;
    pub struct PhantomData;
    pub struct Result;
    pub struct Some;
    pub struct String;
    pub struct Vec;
    pub struct Views;
    pub trait Clone {}
    pub trait Debug {}
    pub trait Drop {}
    pub trait Row {}

    // In a pattern, an identifier refers to a constant if there is one.
    const row: u8 = 0;
    const len: u8 = 0;
    const capacity: u8 = 0;

    #[derive(::tenure::Row)]
    pub struct Creature<T> {
        pub vec: Vec,
        pub option: Option,
        pub some: [Some; 1],
        #[row(nested)]
        pub result: Inner,
        pub iterator: T,
        #[row(skip)]
        pub skipped: u8,
    }

    #[derive(::tenure::Row)]
    pub struct Inner {
        pub result: Result,
    }

    pub fn creature() -> Creature<Iterator> {
        let result = Inner { result: Result };
        Creature { vec: Vec, option: Option, some: [Some], result, iterator: Iterator, skipped: 1 }
    }
}

/// Types with the names of primitive ones, which hide them.
mod primitive {
    #![allow(non_camel_case_types)]

    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct usize;
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    pub struct bool;
    pub struct u8;
    pub struct u32;
    pub struct u64;
    pub struct str;
    pub struct char;
    pub enum Self_ {}

    #[derive(Clone, Debug, PartialEq, ::tenure::Row)]
    pub struct Creature {
        pub size: usize,
        #[row(nested)]
        pub inner: Inner,
        #[row(skip)]
        pub skipped: bool,
    }

    #[derive(Clone, Debug, PartialEq, ::tenure::Row)]
    pub struct Inner {
        pub flag: bool,
    }

    /// Parameters with such names.
    #[derive(::tenure::Row)]
    pub struct Open<bool, usize> {
        pub flag: bool,
        #[row(skip)]
        pub skipped: ::core::marker::PhantomData<usize>,
    }

    #[derive(::tenure::Relink)]
    pub enum Linked {
        None,
        Some { handle: ::tenure::Handle<Creature> },
    }

    pub fn creature() -> Creature {
        Creature { size: usize, inner: Inner { flag: bool }, skipped: bool }
    }
}

/// Parameters, lifetimes, fields and types with the usual names of the generated code. All of them
/// are mentioned by the structs.
mod own_names {
    #![allow(non_camel_case_types)]

    use core::marker::PhantomData;

    pub struct __tenure;
    pub struct __NamedStorage;

    #[derive(tenure::Row)]
    pub struct Named<'__any, '__row, '__r, __A, __F, const __n: usize, const __row: usize> {
        pub __marker: &'__any __A,
        pub __column0: &'__row [__F; __n],
        pub __skipped1: [u8; __row],
        pub __tenure: __tenure,
        pub storage: __NamedStorage,
        #[row(nested)]
        pub __parts: Inner<'__any, __A>,
        #[row(skip)]
        pub idle: PhantomData<&'__r ()>,
    }

    #[derive(tenure::Row)]
    pub struct Inner<'__any, __A> {
        pub function: Box<dyn for<'__x> Fn(&'__x __A) -> &'__x __A>,
        #[row(skip)]
        pub ___marker: PhantomData<&'__any ()>,
    }

    #[derive(Clone, Debug, PartialEq, tenure::Row)]
    pub struct __Hidden<__T> {
        pub __row: __T,
        #[row(skip)]
        pub r#__len: u8,
    }

    #[derive(tenure::Relink)]
    pub enum Linked<'__any, __visitor, const __field0: usize> {
        Tuple(Option<tenure::Handle<__tenure>>, [__visitor; __field0]),
        Named { __field0: u8, __tenure: tenure::Handle<u8>, text: &'__any str },
    }
}

/// In a pattern, an identifier refers to a constant, a static or a unit struct if there is one.
/// These are in scope, and no struct mentions them.
mod constants {
    #![allow(non_camel_case_types)]

    macro_rules! take_names {
        ($($constant:ident)*; $($static:ident)*; $($unit:ident)*) => {
            $(const $constant: u8 = 0;)*
            $(static $static: u8 = 0;)*
            $(struct $unit;)*
        };
    }

    take_names! {
        __a __additional __b __capacity __f __field __kept __len __n __order __row __column0 __column2 __marker __field0;
        __list __other __parts __slices __so_far __source __start __skipped1 __field1;
        __step __struct __unfinished __visitor __column1 __tenure
    }

    #[derive(Clone, Debug, PartialEq, tenure::Row)]
    #[row(snapshot)]
    pub struct Creature {
        pub first: u8,
        #[row(nested)]
        pub inner: Inner,
        pub last: u8,
    }

    #[derive(Clone, Debug, PartialEq, tenure::Row)]
    #[row(snapshot)]
    pub struct Inner {
        pub value: u8,
        #[row(skip)]
        pub skipped: u8,
    }

    #[derive(Clone, tenure::Relink)]
    pub enum Linked {
        Tuple(tenure::Handle<u8>, u8),
        Named { handle: tenure::Handle<u8> },
    }
}

/// Fields with the names of variables, methods and modules.
#[derive(Clone, Debug, PartialEq, tenure::Row)]
struct Named {
    row: u8,
    len: u8,
    iter: u8,
    self_: u8,
    as_ref: u8,
    next: u8,
    pop: u8,
    __row: u8,
    __len: u8,
    __column0: u8,
    __struct: u8,
    __other: u8,
    __tenure: u8,
    core: u8,
    r#fn: u8,
}

/// Methods that a blanket impl adds to every type.
mod everywhere {
    pub trait Everywhere: Sized {
        fn field(self) {}
        fn len(self) {}
        fn next(self) {}
        fn push(self) {}
        fn eq(self) {}
        fn clone(self) {}
    }

    impl<T> Everywhere for T {}

    #[derive(Clone, Debug, PartialEq, tenure::Row)]
    pub struct Plain {
        pub value: u8,
    }
}

/// Without the prelude.
mod bare {
    #![no_implicit_prelude]

    #[derive(::tenure::Row)]
    pub struct Bare<T> {
        pub value: T,
        #[row(skip)]
        pub skipped: u8,
    }
}

/// Tenure under another name and path.
mod renamed {
    pub mod deps {
        pub use ::tenure as slots;
    }
    mod tenure {}

    #[derive(deps::slots::Row)]
    #[row(crate = deps::slots)]
    pub struct Relative {
        pub value: u8,
    }

    #[derive(deps::slots::Row)]
    #[row(crate = crate::renamed::deps::slots)]
    pub struct Absolute {
        #[row(nested)]
        pub relative: Relative,
    }
}

/// Types that come from a macro, where they are groups without parentheses.
macro_rules! make {
    ($name:ident, $field:ident: $type:ty) => {
        #[derive(tenure::Row)]
        struct $name {
            $field: $type,
        }
    };
}

make!(Made, field: Option<Vec<&'static dyn Fn(u8) -> u8>>);

use tenure::Row;
use tenure::table::Columns;

fn round_trip<R: Row>(row: R) -> R {
    let mut columns = R::Columns::EMPTY;
    columns.push(row);
    assert_eq!(columns.iter().len(), 1);
    columns.swap_remove(0).unwrap()
}

#[test]
fn rows_with_unusual_names_work() {
    assert_eq!(round_trip(taken::creature()).skipped, 0);
    assert_eq!(round_trip(everywhere::Plain { value: 1 }), everywhere::Plain { value: 1 });
    assert_eq!(round_trip(bare::Bare { value: 1, skipped: 1 }).skipped, 0);
    assert_eq!(round_trip(renamed::Absolute { relative: renamed::Relative { value: 3 } }).relative.value, 3);
    assert!(round_trip(Made { field: None }).field.is_none());
}

#[test]
fn names_of_the_generated_code_can_be_used() {
    assert_eq!(round_trip(primitive::creature()), primitive::creature());
    let open = round_trip(primitive::Open::<_, u8> { flag: 3, skipped: Default::default() });
    assert_eq!(open.flag, 3);

    let inner = own_names::Inner { function: Box::new(|it| it), ___marker: Default::default() };
    let named = own_names::Named {
        __marker: &1_u8,
        __column0: &['a', 'b'],
        __skipped1: [7; 3],
        __tenure: own_names::__tenure,
        storage: own_names::__NamedStorage,
        __parts: inner,
        idle: Default::default(),
    };
    let named = round_trip(named);
    assert_eq!((named.__marker, named.__column0, named.__skipped1), (&1, &['a', 'b'], [7; 3]));
    assert_eq!((named.__parts.function)(&5), &5);
    let hidden = own_names::__Hidden { __row: 1, __len: 2 };
    assert_eq!(round_trip(hidden.clone()), own_names::__Hidden { __len: 0, ..hidden });

    let creature = constants::Creature { first: 1, inner: constants::Inner { value: 2, skipped: 0 }, last: 3 };
    assert_eq!(round_trip(creature.clone()), creature);
    let mut columns = <constants::Creature as Row>::Columns::EMPTY;
    (0..4).for_each(|_| columns.push(creature.clone()));
    let mut copy = columns.clone();
    copy.clone_from(&columns);
    assert_eq!((&copy, copy.capacity() > 0), (&columns, true));
    assert_eq!(copy.iter().nth(2), columns.iter().next_back());
    assert_eq!(copy.iter().fold(0, |sum, row| sum + row.last), 12);
    assert!(format!("{copy:?}").starts_with("CreatureColumns { first: [1, 1, 1, 1]"));
}

#[test]
fn relink_works_with_unusual_names() {
    use tenure::{Pool, Relink};

    fn is_relink<T: Relink>() {}
    is_relink::<primitive::Linked>();
    is_relink::<own_names::Linked<'static, u8, 2>>();

    let mut numbers = Pool::from([1_u8]);
    let handle = numbers.handles().next().unwrap();
    let mut linked = Pool::from([constants::Linked::Tuple(handle, 1), constants::Linked::Named { handle }]);
    numbers.remove(handle);
    let all: Vec<_> = linked.handles().collect();
    let copies = linked.copy_group(&all).unwrap();
    assert!(all.iter().all(|&it| copies.new_handle(it).is_some()) && linked.len() == 4);
    assert!(linked.values().all(
        |it| matches!(it, constants::Linked::Tuple(to, _) | constants::Linked::Named { handle: to } if *to == handle)
    ));
}

#[test]
fn structs_in_functions_work() {
    #[derive(Row)]
    struct Local {
        value: u8,
    }
    assert_eq!(round_trip(Local { value: 1 }).value, 1);
}

#[test]
fn fields_with_unusual_names_keep_their_values() {
    let named = Named {
        row: 1,
        len: 2,
        iter: 3,
        self_: 4,
        as_ref: 5,
        next: 6,
        pop: 7,
        __row: 8,
        __len: 9,
        __column0: 10,
        __struct: 11,
        __other: 12,
        __tenure: 13,
        core: 14,
        r#fn: 15,
    };
    assert_eq!(round_trip(named.clone()), named);
}
