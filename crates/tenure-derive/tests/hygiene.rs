//! Whatever names the user has taken, the generated code means its own.
#![allow(dead_code, non_upper_case_globals, unreachable_pub)]

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

    // In a pattern, a name is a constant if there is one.
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

/// Fields that are called as variables, methods and modules are.
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

/// Methods that a blanket impl gives to everything.
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

/// Nothing is in scope that was not asked for.
mod bare {
    #![no_implicit_prelude]

    #[derive(::tenure::Row)]
    pub struct Bare<T> {
        pub value: T,
        #[row(skip)]
        pub skipped: u8,
    }
}

/// Tenure under another name, and not where it usually is.
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
fn all_of_them_work() {
    assert_eq!(round_trip(taken::creature()).skipped, 0);
    assert_eq!(round_trip(everywhere::Plain { value: 1 }), everywhere::Plain { value: 1 });
    assert_eq!(round_trip(bare::Bare { value: 1, skipped: 1 }).skipped, 0);
    assert_eq!(round_trip(renamed::Absolute { relative: renamed::Relative { value: 3 } }).relative.value, 3);
    assert!(round_trip(Made { field: None }).field.is_none());
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
fn fields_are_not_mixed_up() {
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
