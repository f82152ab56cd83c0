/// A [`Creature`] in a table, field by field, to look at.
#[allow(deprecated, private_bounds, private_interfaces)]
pub struct CreatureRef<'__row, T: Clone>
where
    for<'__any> Body: ::tenure::table::Row,
    T: '__row,
{
    /// Where it is.
    pub pos: &'__row T,
    /// The field `body`.
    body: <<Body as ::tenure::table::Row>::Columns as ::tenure::table::Views<
        '__row,
    >>::Ref,
}
/// A [`Creature`] in a table, field by field, to change.
#[allow(deprecated, private_bounds, private_interfaces)]
pub struct CreatureMut<'__row, T: Clone>
where
    for<'__any> Body: ::tenure::table::Row,
    T: '__row,
{
    /// Where it is.
    pub pos: &'__row mut T,
    /// The field `body`.
    body: <<Body as ::tenure::table::Row>::Columns as ::tenure::table::Views<
        '__row,
    >>::Mut,
}
/// All [`Creature`]s of a table, column by column, to look at.
#[allow(deprecated, private_bounds, private_interfaces)]
pub struct CreatureColumns<'__row, T: Clone>
where
    for<'__any> Body: ::tenure::table::Row,
    T: '__row,
{
    /// Where it is.
    pub pos: &'__row [T],
    /// The field `body`.
    body: <<Body as ::tenure::table::Row>::Columns as ::tenure::table::Views<
        '__row,
    >>::Slices,
}
/// All [`Creature`]s of a table, column by column, to change.
#[allow(deprecated, private_bounds, private_interfaces)]
pub struct CreatureColumnsMut<'__row, T: Clone>
where
    for<'__any> Body: ::tenure::table::Row,
    T: '__row,
{
    /// Where it is.
    pub pos: &'__row mut [T],
    /// The field `body`.
    body: <<Body as ::tenure::table::Row>::Columns as ::tenure::table::Views<
        '__row,
    >>::SlicesMut,
}
#[allow(deprecated)]
const _: () = {
    use ::tenure::__private as __tenure;
    pub struct __CreatureStorage<T: Clone>
    where
        for<'__any> Body: ::tenure::table::Row,
    {
        pos: ::tenure::__private::Vec<T>,
        body: <Body as ::tenure::table::Row>::Columns,
    }
    pub struct __CreatureIter<'__row, T: Clone>
    where
        for<'__any> Body: ::tenure::table::Row,
        T: '__row,
    {
        pos: <::tenure::__private::Vec<T> as ::tenure::table::Views<'__row>>::Iter,
        body: <<Body as ::tenure::table::Row>::Columns as ::tenure::table::Views<
            '__row,
        >>::Iter,
    }
    pub struct __CreatureIterMut<'__row, T: Clone>
    where
        for<'__any> Body: ::tenure::table::Row,
        T: '__row,
    {
        pos: <::tenure::__private::Vec<T> as ::tenure::table::Views<'__row>>::IterMut,
        body: <<Body as ::tenure::table::Row>::Columns as ::tenure::table::Views<
            '__row,
        >>::IterMut,
    }
    pub struct __CreatureIntoIter<T: Clone>
    where
        for<'__any> Body: ::tenure::table::Row,
    {
        pos: <::tenure::__private::Vec<T> as ::tenure::table::Columns>::IntoIter,
        body: <<Body as ::tenure::table::Row>::Columns as ::tenure::table::Columns>::IntoIter,
    }
    fn __column1<T: Clone>(__row: Creature<T>) -> Creature<T> {
        __tenure::is_row::<Body>();
        __row
    }
    #[automatically_derived]
    impl<T: Clone> __tenure::Row for Creature<T>
    where
        for<'__any> Body: ::tenure::table::Row,
    {
        type Columns = __CreatureStorage<T>;
    }
    #[automatically_derived]
    impl<'__row, T: Clone> __tenure::Views<'__row> for __CreatureStorage<T>
    where
        for<'__any> Body: ::tenure::table::Row,
    {
        type Ref = CreatureRef<'__row, T>;
        type Mut = CreatureMut<'__row, T>;
        type Slices = CreatureColumns<'__row, T>;
        type SlicesMut = CreatureColumnsMut<'__row, T>;
        type Iter = __CreatureIter<'__row, T>;
        type IterMut = __CreatureIterMut<'__row, T>;
    }
    #[automatically_derived]
    impl<T: Clone> __tenure::Columns for __CreatureStorage<T>
    where
        for<'__any> Body: ::tenure::table::Row,
    {
        const EMPTY: Self = __CreatureStorage {
            pos: __tenure::Columns::EMPTY,
            body: __tenure::Columns::EMPTY,
        };
        type Row = Creature<T>;
        type IntoIter = __CreatureIntoIter<T>;
        #[inline]
        fn len(&self) -> usize {
            __tenure::Columns::len(&self.pos)
        }
        #[inline]
        fn capacity(&self) -> usize {
            let __capacity = __tenure::Columns::capacity(&self.pos);
            let __capacity = ::core::cmp::Ord::min(
                __capacity,
                __tenure::Columns::capacity(&self.body),
            );
            __capacity
        }
        fn bytes(&self) -> usize {
            __tenure::Columns::bytes(&self.pos) + __tenure::Columns::bytes(&self.body)
        }
        #[inline]
        fn try_reserve(
            &mut self,
            __additional: usize,
        ) -> ::core::result::Result<(), __tenure::TryReserveError> {
            __tenure::Columns::try_reserve(&mut self.pos, __additional)?;
            __tenure::Columns::try_reserve(&mut self.body, __additional)?;
            ::core::result::Result::Ok(())
        }
        #[inline]
        fn try_reserve_exact(
            &mut self,
            __additional: usize,
        ) -> ::core::result::Result<(), __tenure::TryReserveError> {
            __tenure::Columns::try_reserve_exact(&mut self.pos, __additional)?;
            __tenure::Columns::try_reserve_exact(&mut self.body, __additional)?;
            ::core::result::Result::Ok(())
        }
        #[inline]
        fn push(&mut self, __row: Self::Row) {
            __tenure::Columns::push(&mut self.pos, __row.pos);
            __tenure::Columns::push(&mut self.body, __row.body);
        }
        #[inline]
        fn pop(&mut self) -> ::core::option::Option<Self::Row> {
            ::core::option::Option::Some(Creature {
                pos: __tenure::Columns::pop(&mut self.pos)?,
                body: __tenure::Columns::pop(&mut self.body)?,
                scratch: <Vec<u8> as ::core::default::Default>::default(),
            })
        }
        #[inline]
        fn swap_remove(&mut self, __row: usize) -> ::core::option::Option<Self::Row> {
            ::core::option::Option::Some(Creature {
                pos: __tenure::Columns::swap_remove(&mut self.pos, __row)?,
                body: __tenure::Columns::swap_remove(&mut self.body, __row)?,
                scratch: <Vec<u8> as ::core::default::Default>::default(),
            })
        }
        fn truncate(&mut self, __len: usize) {
            ::core::mem::drop((
                __tenure::TruncateLater(&mut self.pos, __len),
                __tenure::TruncateLater(&mut self.body, __len),
            ));
        }
        #[inline]
        fn swap(&mut self, __a: usize, __b: usize) {
            __tenure::Columns::swap(&mut self.pos, __a, __b);
            __tenure::Columns::swap(&mut self.body, __a, __b);
        }
        fn pack(&mut self, __kept: &[u32]) {
            __tenure::Columns::pack(&mut self.pos, __kept);
            __tenure::Columns::pack(&mut self.body, __kept);
        }
        fn gather(&mut self, __order: &__tenure::Order) {
            __tenure::Columns::gather(&mut self.pos, __order);
            __tenure::Columns::gather(&mut self.body, __order);
        }
        fn shrink_to_fit(&mut self) {
            __tenure::Columns::shrink_to_fit(&mut self.pos);
            __tenure::Columns::shrink_to_fit(&mut self.body);
        }
        #[inline]
        fn row(
            &self,
            __row: usize,
        ) -> ::core::option::Option<<Self as __tenure::Views<'_>>::Ref> {
            ::core::option::Option::Some(CreatureRef {
                pos: __tenure::Columns::row(&self.pos, __row)?,
                body: __tenure::Columns::row(&self.body, __row)?,
            })
        }
        #[inline]
        fn row_mut(
            &mut self,
            __row: usize,
        ) -> ::core::option::Option<<Self as __tenure::Views<'_>>::Mut> {
            ::core::option::Option::Some(CreatureMut {
                pos: __tenure::Columns::row_mut(&mut self.pos, __row)?,
                body: __tenure::Columns::row_mut(&mut self.body, __row)?,
            })
        }
        #[inline]
        fn slices(&self) -> <Self as __tenure::Views<'_>>::Slices {
            CreatureColumns {
                pos: __tenure::Columns::slices(&self.pos),
                body: __tenure::Columns::slices(&self.body),
            }
        }
        #[inline]
        fn slices_mut(&mut self) -> <Self as __tenure::Views<'_>>::SlicesMut {
            CreatureColumnsMut {
                pos: __tenure::Columns::slices_mut(&mut self.pos),
                body: __tenure::Columns::slices_mut(&mut self.body),
            }
        }
        #[inline]
        fn split_at<'__row>(
            __slices: <Self as __tenure::Views<'__row>>::SlicesMut,
            __row: usize,
        ) -> (
            <Self as __tenure::Views<'__row>>::SlicesMut,
            <Self as __tenure::Views<'__row>>::SlicesMut,
        ) {
            let __column0 = <::tenure::__private::Vec<
                T,
            > as __tenure::Columns>::split_at(__slices.pos, __row);
            let __column1 = <<Body as ::tenure::table::Row>::Columns as __tenure::Columns>::split_at(
                __slices.body,
                __row,
            );
            (
                CreatureColumnsMut {
                    pos: __column0.0,
                    body: __column1.0,
                },
                CreatureColumnsMut {
                    pos: __column0.1,
                    body: __column1.1,
                },
            )
        }
        #[inline]
        fn iter(&self) -> <Self as __tenure::Views<'_>>::Iter {
            __CreatureIter {
                pos: __tenure::Columns::iter(&self.pos),
                body: __tenure::Columns::iter(&self.body),
            }
        }
        #[inline]
        fn iter_mut(&mut self) -> <Self as __tenure::Views<'_>>::IterMut {
            __CreatureIterMut {
                pos: __tenure::Columns::iter_mut(&mut self.pos),
                body: __tenure::Columns::iter_mut(&mut self.body),
            }
        }
        fn into_iter(self) -> Self::IntoIter {
            __CreatureIntoIter {
                pos: __tenure::Columns::into_iter(self.pos),
                body: __tenure::Columns::into_iter(self.body),
            }
        }
    }
    #[automatically_derived]
    impl<'__row, T: Clone> ::core::iter::Iterator for __CreatureIter<'__row, T>
    where
        for<'__any> Body: ::tenure::table::Row,
        T: '__row,
    {
        type Item = CreatureRef<'__row, T>;
        #[inline]
        fn next(&mut self) -> ::core::option::Option<Self::Item> {
            ::core::option::Option::Some(CreatureRef {
                pos: ::core::iter::Iterator::next(&mut self.pos)?,
                body: ::core::iter::Iterator::next(&mut self.body)?,
            })
        }
        #[inline]
        fn nth(&mut self, __n: usize) -> ::core::option::Option<Self::Item> {
            ::core::option::Option::Some(CreatureRef {
                pos: ::core::iter::Iterator::nth(&mut self.pos, __n)?,
                body: ::core::iter::Iterator::nth(&mut self.body, __n)?,
            })
        }
        #[inline]
        fn size_hint(&self) -> (usize, ::core::option::Option<usize>) {
            ::core::iter::Iterator::size_hint(&self.pos)
        }
    }
    #[automatically_derived]
    impl<'__row, T: Clone> ::core::iter::DoubleEndedIterator
    for __CreatureIter<'__row, T>
    where
        for<'__any> Body: ::tenure::table::Row,
        T: '__row,
    {
        #[inline]
        fn next_back(&mut self) -> ::core::option::Option<Self::Item> {
            ::core::option::Option::Some(CreatureRef {
                pos: ::core::iter::DoubleEndedIterator::next_back(&mut self.pos)?,
                body: ::core::iter::DoubleEndedIterator::next_back(&mut self.body)?,
            })
        }
        #[inline]
        fn nth_back(&mut self, __n: usize) -> ::core::option::Option<Self::Item> {
            ::core::option::Option::Some(CreatureRef {
                pos: ::core::iter::DoubleEndedIterator::nth_back(&mut self.pos, __n)?,
                body: ::core::iter::DoubleEndedIterator::nth_back(&mut self.body, __n)?,
            })
        }
    }
    #[automatically_derived]
    impl<'__row, T: Clone> ::core::iter::ExactSizeIterator for __CreatureIter<'__row, T>
    where
        for<'__any> Body: ::tenure::table::Row,
        T: '__row,
    {}
    #[automatically_derived]
    impl<'__row, T: Clone> ::core::iter::FusedIterator for __CreatureIter<'__row, T>
    where
        for<'__any> Body: ::tenure::table::Row,
        T: '__row,
    {}
    #[automatically_derived]
    impl<'__row, T: Clone> ::core::fmt::Debug for __CreatureIter<'__row, T>
    where
        for<'__any> Body: ::tenure::table::Row,
        T: '__row,
    {
        fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut __struct = ::core::fmt::Formatter::debug_struct(__f, "CreatureIter");
            ::core::fmt::DebugStruct::field(
                &mut __struct,
                "len",
                &::core::iter::ExactSizeIterator::len(self),
            );
            ::core::fmt::DebugStruct::finish_non_exhaustive(&mut __struct)
        }
    }
    #[automatically_derived]
    impl<'__row, T: Clone> ::core::iter::Iterator for __CreatureIterMut<'__row, T>
    where
        for<'__any> Body: ::tenure::table::Row,
        T: '__row,
    {
        type Item = CreatureMut<'__row, T>;
        #[inline]
        fn next(&mut self) -> ::core::option::Option<Self::Item> {
            ::core::option::Option::Some(CreatureMut {
                pos: ::core::iter::Iterator::next(&mut self.pos)?,
                body: ::core::iter::Iterator::next(&mut self.body)?,
            })
        }
        #[inline]
        fn nth(&mut self, __n: usize) -> ::core::option::Option<Self::Item> {
            ::core::option::Option::Some(CreatureMut {
                pos: ::core::iter::Iterator::nth(&mut self.pos, __n)?,
                body: ::core::iter::Iterator::nth(&mut self.body, __n)?,
            })
        }
        #[inline]
        fn size_hint(&self) -> (usize, ::core::option::Option<usize>) {
            ::core::iter::Iterator::size_hint(&self.pos)
        }
    }
    #[automatically_derived]
    impl<'__row, T: Clone> ::core::iter::DoubleEndedIterator
    for __CreatureIterMut<'__row, T>
    where
        for<'__any> Body: ::tenure::table::Row,
        T: '__row,
    {
        #[inline]
        fn next_back(&mut self) -> ::core::option::Option<Self::Item> {
            ::core::option::Option::Some(CreatureMut {
                pos: ::core::iter::DoubleEndedIterator::next_back(&mut self.pos)?,
                body: ::core::iter::DoubleEndedIterator::next_back(&mut self.body)?,
            })
        }
        #[inline]
        fn nth_back(&mut self, __n: usize) -> ::core::option::Option<Self::Item> {
            ::core::option::Option::Some(CreatureMut {
                pos: ::core::iter::DoubleEndedIterator::nth_back(&mut self.pos, __n)?,
                body: ::core::iter::DoubleEndedIterator::nth_back(&mut self.body, __n)?,
            })
        }
    }
    #[automatically_derived]
    impl<'__row, T: Clone> ::core::iter::ExactSizeIterator
    for __CreatureIterMut<'__row, T>
    where
        for<'__any> Body: ::tenure::table::Row,
        T: '__row,
    {}
    #[automatically_derived]
    impl<'__row, T: Clone> ::core::iter::FusedIterator for __CreatureIterMut<'__row, T>
    where
        for<'__any> Body: ::tenure::table::Row,
        T: '__row,
    {}
    #[automatically_derived]
    impl<'__row, T: Clone> ::core::fmt::Debug for __CreatureIterMut<'__row, T>
    where
        for<'__any> Body: ::tenure::table::Row,
        T: '__row,
    {
        fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut __struct = ::core::fmt::Formatter::debug_struct(
                __f,
                "CreatureIterMut",
            );
            ::core::fmt::DebugStruct::field(
                &mut __struct,
                "len",
                &::core::iter::ExactSizeIterator::len(self),
            );
            ::core::fmt::DebugStruct::finish_non_exhaustive(&mut __struct)
        }
    }
    #[automatically_derived]
    impl<T: Clone> ::core::iter::Iterator for __CreatureIntoIter<T>
    where
        for<'__any> Body: ::tenure::table::Row,
    {
        type Item = Creature<T>;
        #[inline]
        fn next(&mut self) -> ::core::option::Option<Self::Item> {
            ::core::option::Option::Some(Creature {
                pos: ::core::iter::Iterator::next(&mut self.pos)?,
                body: ::core::iter::Iterator::next(&mut self.body)?,
                scratch: <Vec<u8> as ::core::default::Default>::default(),
            })
        }
        #[inline]
        fn size_hint(&self) -> (usize, ::core::option::Option<usize>) {
            ::core::iter::Iterator::size_hint(&self.pos)
        }
    }
    #[automatically_derived]
    impl<T: Clone> ::core::iter::DoubleEndedIterator for __CreatureIntoIter<T>
    where
        for<'__any> Body: ::tenure::table::Row,
    {
        #[inline]
        fn next_back(&mut self) -> ::core::option::Option<Self::Item> {
            ::core::option::Option::Some(Creature {
                pos: ::core::iter::DoubleEndedIterator::next_back(&mut self.pos)?,
                body: ::core::iter::DoubleEndedIterator::next_back(&mut self.body)?,
                scratch: <Vec<u8> as ::core::default::Default>::default(),
            })
        }
    }
    #[automatically_derived]
    impl<T: Clone> ::core::iter::ExactSizeIterator for __CreatureIntoIter<T>
    where
        for<'__any> Body: ::tenure::table::Row,
    {}
    #[automatically_derived]
    impl<T: Clone> ::core::iter::FusedIterator for __CreatureIntoIter<T>
    where
        for<'__any> Body: ::tenure::table::Row,
    {}
    #[automatically_derived]
    impl<T: Clone> ::core::fmt::Debug for __CreatureIntoIter<T>
    where
        for<'__any> Body: ::tenure::table::Row,
    {
        fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut __struct = ::core::fmt::Formatter::debug_struct(
                __f,
                "CreatureIntoIter",
            );
            ::core::fmt::DebugStruct::field(
                &mut __struct,
                "len",
                &::core::iter::ExactSizeIterator::len(self),
            );
            ::core::fmt::DebugStruct::finish_non_exhaustive(&mut __struct)
        }
    }
    #[automatically_derived]
    impl<'__row, T: Clone> ::core::clone::Clone for CreatureRef<'__row, T>
    where
        for<'__any> Body: ::tenure::table::Row,
        T: '__row,
        for<'__any> <<Body as ::tenure::table::Row>::Columns as ::tenure::table::Views<
            '__row,
        >>::Ref: ::core::marker::Copy,
    {
        #[inline]
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<'__row, T: Clone> ::core::marker::Copy for CreatureRef<'__row, T>
    where
        for<'__any> Body: ::tenure::table::Row,
        T: '__row,
        for<'__any> <<Body as ::tenure::table::Row>::Columns as ::tenure::table::Views<
            '__row,
        >>::Ref: ::core::marker::Copy,
    {}
    #[automatically_derived]
    impl<'__row, T: Clone> ::core::clone::Clone for CreatureColumns<'__row, T>
    where
        for<'__any> Body: ::tenure::table::Row,
        T: '__row,
        for<'__any> <<Body as ::tenure::table::Row>::Columns as ::tenure::table::Views<
            '__row,
        >>::Slices: ::core::marker::Copy,
    {
        #[inline]
        fn clone(&self) -> Self {
            *self
        }
    }
    #[automatically_derived]
    impl<'__row, T: Clone> ::core::marker::Copy for CreatureColumns<'__row, T>
    where
        for<'__any> Body: ::tenure::table::Row,
        T: '__row,
        for<'__any> <<Body as ::tenure::table::Row>::Columns as ::tenure::table::Views<
            '__row,
        >>::Slices: ::core::marker::Copy,
    {}
    #[automatically_derived]
    impl<T: Clone> ::core::fmt::Debug for __CreatureStorage<T>
    where
        for<'__any> Body: ::tenure::table::Row,
        for<'__any> ::tenure::__private::Vec<T>: ::core::fmt::Debug,
        for<'__any> <Body as ::tenure::table::Row>::Columns: ::core::fmt::Debug,
    {
        fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut __struct = ::core::fmt::Formatter::debug_struct(
                __f,
                "CreatureColumns",
            );
            ::core::fmt::DebugStruct::field(&mut __struct, "pos", &self.pos);
            ::core::fmt::DebugStruct::field(&mut __struct, "body", &self.body);
            ::core::fmt::DebugStruct::finish(&mut __struct)
        }
    }
    #[automatically_derived]
    impl<T: Clone> ::core::cmp::PartialEq for __CreatureStorage<T>
    where
        for<'__any> Body: ::tenure::table::Row,
        for<'__any> ::tenure::__private::Vec<T>: ::core::cmp::PartialEq,
        for<'__any> <Body as ::tenure::table::Row>::Columns: ::core::cmp::PartialEq,
    {
        fn eq(&self, __other: &Self) -> bool {
            ::core::cmp::PartialEq::eq(&self.pos, &__other.pos)
                && ::core::cmp::PartialEq::eq(&self.body, &__other.body)
        }
    }
    #[automatically_derived]
    impl<T: Clone> ::core::cmp::Eq for __CreatureStorage<T>
    where
        for<'__any> Body: ::tenure::table::Row,
        for<'__any> ::tenure::__private::Vec<T>: ::core::cmp::Eq,
        for<'__any> <Body as ::tenure::table::Row>::Columns: ::core::cmp::Eq,
    {}
    #[automatically_derived]
    impl<'__row, T: Clone> ::core::fmt::Debug for CreatureRef<'__row, T>
    where
        for<'__any> Body: ::tenure::table::Row,
        T: '__row,
        for<'__any> &'__row T: ::core::fmt::Debug,
        for<'__any> <<Body as ::tenure::table::Row>::Columns as ::tenure::table::Views<
            '__row,
        >>::Ref: ::core::fmt::Debug,
    {
        fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut __struct = ::core::fmt::Formatter::debug_struct(__f, "CreatureRef");
            ::core::fmt::DebugStruct::field(&mut __struct, "pos", &self.pos);
            ::core::fmt::DebugStruct::field(&mut __struct, "body", &self.body);
            ::core::fmt::DebugStruct::finish(&mut __struct)
        }
    }
    #[automatically_derived]
    impl<'__row, T: Clone> ::core::cmp::PartialEq for CreatureRef<'__row, T>
    where
        for<'__any> Body: ::tenure::table::Row,
        T: '__row,
        for<'__any> &'__row T: ::core::cmp::PartialEq,
        for<'__any> <<Body as ::tenure::table::Row>::Columns as ::tenure::table::Views<
            '__row,
        >>::Ref: ::core::cmp::PartialEq,
    {
        fn eq(&self, __other: &Self) -> bool {
            ::core::cmp::PartialEq::eq(&self.pos, &__other.pos)
                && ::core::cmp::PartialEq::eq(&self.body, &__other.body)
        }
    }
    #[automatically_derived]
    impl<'__row, T: Clone> ::core::cmp::Eq for CreatureRef<'__row, T>
    where
        for<'__any> Body: ::tenure::table::Row,
        T: '__row,
        for<'__any> &'__row T: ::core::cmp::Eq,
        for<'__any> <<Body as ::tenure::table::Row>::Columns as ::tenure::table::Views<
            '__row,
        >>::Ref: ::core::cmp::Eq,
    {}
    #[automatically_derived]
    impl<'__row, T: Clone> ::core::fmt::Debug for CreatureMut<'__row, T>
    where
        for<'__any> Body: ::tenure::table::Row,
        T: '__row,
        for<'__any> &'__row mut T: ::core::fmt::Debug,
        for<'__any> <<Body as ::tenure::table::Row>::Columns as ::tenure::table::Views<
            '__row,
        >>::Mut: ::core::fmt::Debug,
    {
        fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut __struct = ::core::fmt::Formatter::debug_struct(__f, "CreatureMut");
            ::core::fmt::DebugStruct::field(&mut __struct, "pos", &self.pos);
            ::core::fmt::DebugStruct::field(&mut __struct, "body", &self.body);
            ::core::fmt::DebugStruct::finish(&mut __struct)
        }
    }
    #[automatically_derived]
    impl<'__row, T: Clone> ::core::cmp::PartialEq for CreatureMut<'__row, T>
    where
        for<'__any> Body: ::tenure::table::Row,
        T: '__row,
        for<'__any> &'__row mut T: ::core::cmp::PartialEq,
        for<'__any> <<Body as ::tenure::table::Row>::Columns as ::tenure::table::Views<
            '__row,
        >>::Mut: ::core::cmp::PartialEq,
    {
        fn eq(&self, __other: &Self) -> bool {
            ::core::cmp::PartialEq::eq(&self.pos, &__other.pos)
                && ::core::cmp::PartialEq::eq(&self.body, &__other.body)
        }
    }
    #[automatically_derived]
    impl<'__row, T: Clone> ::core::cmp::Eq for CreatureMut<'__row, T>
    where
        for<'__any> Body: ::tenure::table::Row,
        T: '__row,
        for<'__any> &'__row mut T: ::core::cmp::Eq,
        for<'__any> <<Body as ::tenure::table::Row>::Columns as ::tenure::table::Views<
            '__row,
        >>::Mut: ::core::cmp::Eq,
    {}
    #[automatically_derived]
    impl<'__row, T: Clone> ::core::fmt::Debug for CreatureColumns<'__row, T>
    where
        for<'__any> Body: ::tenure::table::Row,
        T: '__row,
        for<'__any> &'__row [T]: ::core::fmt::Debug,
        for<'__any> <<Body as ::tenure::table::Row>::Columns as ::tenure::table::Views<
            '__row,
        >>::Slices: ::core::fmt::Debug,
    {
        fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut __struct = ::core::fmt::Formatter::debug_struct(
                __f,
                "CreatureColumns",
            );
            ::core::fmt::DebugStruct::field(&mut __struct, "pos", &self.pos);
            ::core::fmt::DebugStruct::field(&mut __struct, "body", &self.body);
            ::core::fmt::DebugStruct::finish(&mut __struct)
        }
    }
    #[automatically_derived]
    impl<'__row, T: Clone> ::core::cmp::PartialEq for CreatureColumns<'__row, T>
    where
        for<'__any> Body: ::tenure::table::Row,
        T: '__row,
        for<'__any> &'__row [T]: ::core::cmp::PartialEq,
        for<'__any> <<Body as ::tenure::table::Row>::Columns as ::tenure::table::Views<
            '__row,
        >>::Slices: ::core::cmp::PartialEq,
    {
        fn eq(&self, __other: &Self) -> bool {
            ::core::cmp::PartialEq::eq(&self.pos, &__other.pos)
                && ::core::cmp::PartialEq::eq(&self.body, &__other.body)
        }
    }
    #[automatically_derived]
    impl<'__row, T: Clone> ::core::cmp::Eq for CreatureColumns<'__row, T>
    where
        for<'__any> Body: ::tenure::table::Row,
        T: '__row,
        for<'__any> &'__row [T]: ::core::cmp::Eq,
        for<'__any> <<Body as ::tenure::table::Row>::Columns as ::tenure::table::Views<
            '__row,
        >>::Slices: ::core::cmp::Eq,
    {}
    #[automatically_derived]
    impl<'__row, T: Clone> ::core::fmt::Debug for CreatureColumnsMut<'__row, T>
    where
        for<'__any> Body: ::tenure::table::Row,
        T: '__row,
        for<'__any> &'__row mut [T]: ::core::fmt::Debug,
        for<'__any> <<Body as ::tenure::table::Row>::Columns as ::tenure::table::Views<
            '__row,
        >>::SlicesMut: ::core::fmt::Debug,
    {
        fn fmt(&self, __f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
            let mut __struct = ::core::fmt::Formatter::debug_struct(
                __f,
                "CreatureColumnsMut",
            );
            ::core::fmt::DebugStruct::field(&mut __struct, "pos", &self.pos);
            ::core::fmt::DebugStruct::field(&mut __struct, "body", &self.body);
            ::core::fmt::DebugStruct::finish(&mut __struct)
        }
    }
    #[automatically_derived]
    impl<'__row, T: Clone> ::core::cmp::PartialEq for CreatureColumnsMut<'__row, T>
    where
        for<'__any> Body: ::tenure::table::Row,
        T: '__row,
        for<'__any> &'__row mut [T]: ::core::cmp::PartialEq,
        for<'__any> <<Body as ::tenure::table::Row>::Columns as ::tenure::table::Views<
            '__row,
        >>::SlicesMut: ::core::cmp::PartialEq,
    {
        fn eq(&self, __other: &Self) -> bool {
            ::core::cmp::PartialEq::eq(&self.pos, &__other.pos)
                && ::core::cmp::PartialEq::eq(&self.body, &__other.body)
        }
    }
    #[automatically_derived]
    impl<'__row, T: Clone> ::core::cmp::Eq for CreatureColumnsMut<'__row, T>
    where
        for<'__any> Body: ::tenure::table::Row,
        T: '__row,
        for<'__any> &'__row mut [T]: ::core::cmp::Eq,
        for<'__any> <<Body as ::tenure::table::Row>::Columns as ::tenure::table::Views<
            '__row,
        >>::SlicesMut: ::core::cmp::Eq,
    {}
    #[automatically_derived]
    impl<T: Clone> ::core::clone::Clone for __CreatureStorage<T>
    where
        for<'__any> Body: ::tenure::table::Row,
        for<'__any> ::tenure::__private::Vec<T>: ::core::clone::Clone,
        for<'__any> <Body as ::tenure::table::Row>::Columns: ::core::clone::Clone,
    {
        fn clone(&self) -> Self {
            __CreatureStorage {
                pos: ::core::clone::Clone::clone(&self.pos),
                body: ::core::clone::Clone::clone(&self.body),
            }
        }
        fn clone_from(&mut self, __source: &Self) {
            let __unfinished = __tenure::TruncateLater(self, 0);
            ::core::clone::Clone::clone_from(&mut __unfinished.0.pos, &__source.pos);
            ::core::clone::Clone::clone_from(&mut __unfinished.0.body, &__source.body);
            ::core::mem::forget(__unfinished);
        }
    }
    #[automatically_derived]
    impl<'__row, T: Clone> ::core::clone::Clone for __CreatureIter<'__row, T>
    where
        for<'__any> Body: ::tenure::table::Row,
        T: '__row,
        for<'__any> <::tenure::__private::Vec<
            T,
        > as ::tenure::table::Views<'__row>>::Iter: ::core::clone::Clone,
        for<'__any> <<Body as ::tenure::table::Row>::Columns as ::tenure::table::Views<
            '__row,
        >>::Iter: ::core::clone::Clone,
    {
        fn clone(&self) -> Self {
            __CreatureIter {
                pos: ::core::clone::Clone::clone(&self.pos),
                body: ::core::clone::Clone::clone(&self.body),
            }
        }
    }
};
