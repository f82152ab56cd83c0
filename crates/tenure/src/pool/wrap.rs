//! What a type that is a pool with something more has from the pool.

/// Makes a type around a pool in a field, with a `From` the pool, look like the pool: its methods by `Deref`, and what it can do as a value.
macro_rules! wraps_pool {
    (impl [$($params:tt)*] $Type:ty, around $field:ident: $Pool:ty) => {
        impl<$($params)*> core::ops::Deref for $Type {
            type Target = $Pool;

            #[inline]
            fn deref(&self) -> &$Pool {
                &self.$field
            }
        }

        impl<$($params)*> core::ops::DerefMut for $Type {
            #[inline]
            fn deref_mut(&mut self) -> &mut $Pool {
                &mut self.$field
            }
        }

        impl<$($params)*> Default for $Type {
            /// Empty.
            fn default() -> Self {
                Self::from(<$Pool>::default())
            }
        }

        impl<$($params)*> core::fmt::Debug for $Type
        where
            T: core::fmt::Debug,
        {
            /// A map from handles to values.
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_map().entries(self).finish()
            }
        }

        impl<$($params)*> PartialEq for $Type
        where
            T: PartialEq,
        {
            /// As the pool.
            fn eq(&self, other: &Self) -> bool {
                self.$field == other.$field
            }
        }

        impl<$($params)*> Eq for $Type where T: Eq {}

        impl<$($params)*> Extend<T> for $Type {
            #[track_caller]
            fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
                self.$field.extend(values);
            }
        }

        impl<$($params)*> FromIterator<T> for $Type {
            #[track_caller]
            fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
                Self::from(<$Pool>::from_iter(values))
            }
        }

        impl<$($params)*> IntoIterator for $Type {
            type Item = (crate::handle::Handle<K, L>, T);
            type IntoIter = <$Pool as IntoIterator>::IntoIter;

            fn into_iter(self) -> Self::IntoIter {
                self.$field.into_iter()
            }
        }

        impl<'a, $($params)*> IntoIterator for &'a $Type {
            type Item = (crate::handle::Handle<K, L>, &'a T);
            type IntoIter = <&'a $Pool as IntoIterator>::IntoIter;

            fn into_iter(self) -> Self::IntoIter {
                self.$field.iter()
            }
        }

        impl<'a, $($params)*> IntoIterator for &'a mut $Type {
            type Item = (crate::handle::Handle<K, L>, &'a mut T);
            type IntoIter = <&'a mut $Pool as IntoIterator>::IntoIter;

            fn into_iter(self) -> Self::IntoIter {
                self.$field.iter_mut()
            }
        }
    };
}

pub(crate) use wraps_pool;
