//! The generated structs have the parameters, bounds and `Self` of the struct.

use std::fmt::Debug;
use std::marker::PhantomData;

use tenure::Row;
use tenure::table::Columns;

fn columns_of<R: Row>(rows: impl IntoIterator<Item = R>) -> R::Columns {
    let mut columns = R::Columns::EMPTY;
    rows.into_iter().for_each(|row| columns.push(row));
    columns
}

/// Names that generated code often uses.
#[derive(Clone, Debug, PartialEq, Row)]
struct Everything<'a, 'row, C: Clone, R, T = u8, const LEN: usize = 2>
where
    C: PartialEq,
    Option<R>: Debug,
    'row: 'a,
{
    a: &'a str,
    row: &'row [C],
    r: R,
    t: [T; LEN],
}

#[test]
fn lifetimes_types_constants_and_clauses() {
    let (text, list) = (String::from("text"), vec![1, 2]);
    let mut columns = columns_of([Everything { a: &text, row: &list, r: 'r', t: [3, 4, 5] }]);
    assert_eq!(columns.slices().t, [[3, 4, 5]]);
    let row: EverythingRef<'_, '_, '_, i32, char, i32, 3> = columns.row(0).unwrap();
    assert_eq!((row, row.r), (columns.iter().next().unwrap(), &'r'));
    columns.row_mut(0).unwrap().row = &mut &list[..1];
    *columns.row_mut(0).unwrap().row = &list[1..];
    assert_eq!(columns.clone().pop(), Some(Everything { a: "text", row: &[2], r: 'r', t: [3, 4, 5] }));
}

#[test]
fn views_have_the_default_parameters() {
    let columns = columns_of([Everything { a: "", row: &['c'], r: 'r', t: [3, 4] }]);
    let _: EverythingColumns<'_, '_, '_, char, char> = columns.slices();
}

#[test]
fn views_have_the_lifetime_of_the_columns() {
    fn longest<'a, 'b, T>(columns: &'a <Borrowed<'b, T> as Row>::Columns) -> BorrowedRef<'a, 'b, T> {
        columns.iter().max_by_key(|row| row.value.len()).unwrap()
    }

    #[derive(Row)]
    struct Borrowed<'b, T> {
        value: &'b [T],
    }

    let columns = columns_of([Borrowed { value: &[1] }, Borrowed { value: &[2, 3] }]);
    let name = longest(&columns).value;
    assert_eq!(*name, [2, 3]);
}

/// A parameter that no column uses.
#[derive(Row)]
struct Idle<'a, T, U: ?Sized> {
    value: T,
    #[row(skip)]
    skipped: (PhantomData<&'a ()>, PhantomData<U>),
}

#[test]
fn parameters_of_skipped_fields_need_no_column() {
    let mut columns = columns_of([Idle::<'_, _, str> { value: 1, skipped: Default::default() }]);
    let IdleColumnsMut { value, .. } = columns.slices_mut();
    value[0] += 1;
    assert_eq!(columns.row_mut(0).unwrap().as_ref().value, &2);
    assert_eq!(columns.into_iter().map(|row| (row.value, row.skipped)).next_back(), Some((2, Default::default())));
}

/// `Self` would be another type in every generated struct.
#[derive(Row)]
struct Tree<const N: usize>
where
    Self: Sized,
{
    children: Vec<Self>,
    parent: Option<<Self as Named>::Name>,
}

trait Named {
    type Name;
}

impl<const N: usize> Named for Tree<N> {
    type Name = [char; N];
}

#[derive(Row)]
struct Sized8 {
    bytes: [u8; Self::SIZE],
}

impl Sized8 {
    const SIZE: usize = 8;
}

#[test]
fn self_is_the_struct() {
    let leaf = Tree { children: vec![], parent: Some(['x']) };
    let columns = columns_of([Tree { children: vec![leaf], parent: None }]);
    assert_eq!(columns.slices().children[0][0].parent, Some(['x']));
    assert_eq!(columns_of([Sized8 { bytes: [1; 8] }]).slices().bytes[0].len(), 8);
}

/// Nested rows whose types are parameters.
#[derive(Row)]
struct Outer<N: Row, T> {
    #[row(nested)]
    inner: N,
    value: T,
}

#[derive(Clone, Debug, PartialEq, Eq, Row)]
struct Middle<T> {
    #[row(nested)]
    low: Low<T>,
    high: T,
}

#[derive(Clone, Debug, PartialEq, Eq, Row)]
struct Low<T> {
    x: T,
    y: T,
}

fn nested() -> <Outer<Middle<i32>, char> as Row>::Columns {
    let middle = |n| Middle { low: Low { x: n, y: n + 1 }, high: n + 2 };
    columns_of([Outer { inner: middle(10), value: 'a' }, Outer { inner: middle(20), value: 'b' }])
}

#[test]
fn rows_in_rows() {
    let mut columns = nested();
    let OuterColumns { inner: MiddleColumns { low: LowColumns { x, y }, high }, value } = columns.slices();
    assert_eq!((x, y, high, value), (&[10, 20][..], &[11, 21][..], &[12, 22][..], &['a', 'b'][..]));

    let row = columns.row_mut(1).unwrap();
    (*row.inner.low.x, *row.inner.high) = (7, 8);
    let (front, back) = <Outer<Middle<i32>, char> as Row>::Columns::split_at(columns.slices_mut(), 1);
    assert_eq!((front.inner.low.x, back.inner.low.x), (&mut [10][..], &mut [7][..]));
    assert_eq!(columns.iter().rev().map(|row| *row.inner.low.x).collect::<Vec<_>>(), [7, 10]);
    let removed = columns.swap_remove(0).unwrap();
    assert_eq!((removed.inner.low, columns.len()), (Low { x: 10, y: 11 }, 1));
    assert_eq!(columns.pop().unwrap().inner, Middle { low: Low { x: 7, y: 21 }, high: 8 });
}

#[test]
fn rows_in_rows_may_be_generic() {
    fn values<N: Row, T>(columns: &<Outer<N, T> as Row>::Columns) -> (&[T], OuterColumns<'_, N, T>) {
        (columns.slices().value, columns.slices())
    }
    let columns = nested();
    assert_eq!(values(&columns), (&['a', 'b'][..], columns.slices()));
}

#[test]
fn rows_in_rows_are_cloned_compared_and_printed() {
    let columns = nested();
    let (row, copy) = (columns.row(0).unwrap(), columns.row(0).unwrap());
    let copied = row;
    assert_eq!((row, columns.clone()), (copied, nested()));
    assert_eq!(copy.inner, MiddleRef { low: LowRef { x: &10, y: &11 }, high: &12 });
    let shown = "OuterRef { inner: MiddleRef { low: LowRef { x: 10, y: 11 }, high: 12 }, value: 'a' }";
    assert_eq!(format!("{row:?}"), shown);
}

/// Returns `true` if an impl exists, without requiring one.
macro_rules! has {
    ($type:ty: $trait:path) => {{
        #[allow(dead_code)]
        trait Fallback {
            const HAS: bool = false;
        }
        impl<T: ?Sized> Fallback for T {}
        struct Probe<T: ?Sized>(PhantomData<T>);
        #[allow(dead_code)]
        impl<T: $trait + ?Sized> Probe<T> {
            const HAS: bool = true;
        }
        <Probe<$type>>::HAS
    }};
}

#[test]
fn traits_are_implemented_if_all_fields_implement_them() {
    struct Opaque;

    #[derive(Row)]
    struct Plain {
        _number: u8,
        _opaque: Opaque,
    }

    #[derive(Row)]
    struct Float {
        _number: f32,
    }

    type Columns<R> = <R as Row>::Columns;
    assert!(!has!(Columns<Plain>: Clone) && !has!(Columns<Plain>: Debug) && !has!(Columns<Plain>: PartialEq));
    assert!(!has!(PlainRef<'_>: Debug) && !has!(PlainColumnsMut<'_>: PartialEq));
    assert!(has!(PlainRef<'_>: Copy) && has!(PlainColumns<'_>: Copy) && !has!(PlainMut<'_>: Clone));
    assert!(has!(Columns<Float>: Clone) && has!(Columns<Float>: Debug) && has!(Columns<Float>: PartialEq));
    assert!(!has!(Columns<Float>: Eq) && has!(Columns<Low<u8>>: Eq) && !has!(Columns<Low<Opaque>>: PartialEq));
    assert!(has!(LowMut<'_, u8>: Eq) && has!(LowColumnsMut<'_, u8>: Debug) && !has!(FloatMut<'_>: Eq));
}

#[test]
fn views_are_send_if_the_fields_are() {
    type Cell = std::cell::Cell<u8>;
    assert!(has!(LowMut<'_, u8>: Send) && has!(LowColumns<'_, u8>: Sync) && has!(<Low<u8> as Row>::Columns: Send));
    assert!(!has!(LowRef<'_, Cell>: Send) && has!(LowMut<'_, Cell>: Send));
}

/// Fields of any type may implement `Drop`, and so may the type of a parameter.
#[test]
fn fields_that_implement_drop() {
    struct Noisy<'a, T>(&'a std::cell::Cell<u32>, PhantomData<T>);

    impl<T> Drop for Noisy<'_, T> {
        fn drop(&mut self) {
            self.0.set(self.0.get() + 1);
        }
    }

    #[derive(Row)]
    struct Holds<'a, T: Clone, U: Row>
    where
        Option<T>: Debug,
    {
        noisy: Noisy<'a, T>,
        value: T,
        #[row(nested)]
        nested: U,
        #[row(skip)]
        skipped: Option<Noisy<'a, T>>,
    }

    let drops = std::cell::Cell::new(0);
    let noisy = || Noisy(&drops, PhantomData);
    let nested = || Low { x: Noisy::<u8>(&drops, PhantomData), y: Noisy(&drops, PhantomData) };
    let mut columns =
        columns_of([Holds { noisy: noisy(), value: String::new(), nested: nested(), skipped: Some(noisy()) }]);
    assert_eq!(drops.get(), 1); // the skipped one
    drop(columns.pop());
    assert_eq!(drops.get(), 4);
}
