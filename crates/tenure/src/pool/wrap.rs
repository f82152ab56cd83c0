//! What a type that is a pool with something more has from the pool.

/// Makes a type with a field `pool`, and `From` the pool, look like the pool: its methods by `Deref`, and what it can do as a value.
macro_rules! wraps_pool {
    (impl [$($params:tt)*] $Type:ty, around $Pool:ty, $Buffer:ty) => {
        impl<$($params)*> core::ops::Deref for $Type {
            type Target = $Pool;

            #[inline]
            fn deref(&self) -> &$Pool {
                &self.pool
            }
        }

        impl<$($params)*> core::ops::DerefMut for $Type {
            #[inline]
            fn deref_mut(&mut self) -> &mut $Pool {
                &mut self.pool
            }
        }

        impl<$($params)*> Default for $Type {
            /// Empty.
            fn default() -> Self {
                Self::from(crate::pool::Pool::default())
            }
        }

        impl<$($params)*> core::fmt::Debug for $Type
        where
            T: core::fmt::Debug,
        {
            /// As the pool.
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                self.pool.fmt(f)
            }
        }

        impl<$($params)*> PartialEq for $Type
        where
            T: PartialEq,
        {
            /// As the pool.
            fn eq(&self, other: &Self) -> bool {
                self.pool == other.pool
            }
        }

        impl<$($params)*> Eq for $Type where T: Eq {}

        impl<$($params)*> Extend<T> for $Type {
            #[track_caller]
            fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
                self.pool.extend(values);
            }
        }

        impl<$($params)*> FromIterator<T> for $Type {
            #[track_caller]
            fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
                Self::from(crate::pool::Pool::from_iter(values))
            }
        }

        impl<$($params)*> IntoIterator for $Type {
            type Item = (crate::handle::Handle<K, L>, T);
            type IntoIter = crate::pool::IntoIter<T, K, L, $Buffer>;

            fn into_iter(self) -> Self::IntoIter {
                self.pool.into_iter()
            }
        }

        impl<'a, $($params)*> IntoIterator for &'a $Type {
            type Item = (crate::handle::Handle<K, L>, &'a T);
            type IntoIter = crate::pool::Iter<'a, T, K, L>;

            fn into_iter(self) -> Self::IntoIter {
                self.pool.iter()
            }
        }

        impl<'a, $($params)*> IntoIterator for &'a mut $Type {
            type Item = (crate::handle::Handle<K, L>, &'a mut T);
            type IntoIter = crate::pool::IterMut<'a, T, K, L>;

            fn into_iter(self) -> Self::IntoIter {
                self.pool.iter_mut()
            }
        }
    };
}

pub(crate) use wraps_pool;
