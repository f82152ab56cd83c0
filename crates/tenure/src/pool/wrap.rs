//! Forwarding for types that wrap a pool.

/// Declares methods that forward to the pool in a field.
///
/// `Deref` would do, but then the pool could not be used in the arguments of its own methods:
/// `pool.remove(pool.handle_at(0)?)`.
macro_rules! as_on_wrapped {
    ($field:ident: $($(#[$attribute:meta])* fn $name:ident $([$N:ident])? ($($arg:ident: $Type:ty),*) -> $Result:ty;)*) => {$(
        #[doc = concat!("As [`Pool::", stringify!($name), "`](crate::Pool::", stringify!($name), ").")]
        $(#[$attribute])*
        #[inline]
        pub fn $name $(<const $N: usize>)? (&mut self, $($arg: $Type),*) -> $Result {
            self.$field.$name($($arg),*)
        }
    )*};
}

/// Implements `Deref` to the pool in a field, and the traits of a pool, for a type that wraps a
/// pool and can be made `From` it. `$unwrap` returns the pool.
macro_rules! wraps_pool {
    (impl [$($params:tt)*] $Type:ty, around $field:ident: $Pool:ty, unwrapped by $unwrap:expr) => {
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

        impl<$($params)*> $Type {
            crate::pool::as_on_wrapped! { $field:
                /// # Panics
                ///
                /// When the pool is full.
                #[track_caller]
                fn insert(value: T) -> H;
                /// # Errors
                ///
                /// [`Full`](crate::Full) returns the value.
                fn try_insert(value: T) -> Result<H, crate::error::Full<T>>;
                /// # Errors
                ///
                /// [`Rejected`](crate::Rejected) returns the value.
                fn insert_at(
                    handle: H, value: T
                ) -> Result<Option<T>, crate::error::Rejected<T>>;
                /// # Errors
                ///
                /// [`Rejected`](crate::Rejected) returns the value.
                fn fill(handle: H, value: T) -> Result<(), crate::error::Rejected<T>>;
                fn remove(handle: H) -> Option<T>;
                #[must_use = "its slot is kept for it; to let it go, call `remove`"]
                fn take(handle: H) -> Option<T>;
                /// # Errors
                ///
                /// Why the handle does not resolve.
                fn try_get_mut(handle: H) -> Result<&mut T, crate::status::HandleError>;
                /// # Errors
                ///
                /// Which handle does not resolve and why, or which two are the same.
                fn get_disjoint_mut[COUNT](
                    handles: [H; COUNT]
                ) -> Result<[&mut T; COUNT], crate::error::GetDisjointMutError>;
            }
        }

        impl<$($params)*> Default for $Type {
            /// Creates an empty pool.
            fn default() -> Self {
                Self::from(<$Pool>::default())
            }
        }

        impl<$($params)*> core::fmt::Debug for $Type
        where
            T: core::fmt::Debug,
        {
            /// Formats the pool as a map from handles to values.
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_map().entries(self).finish()
            }
        }

        impl<$($params)*> PartialEq for $Type
        where
            T: PartialEq,
        {
            /// Compares as the pools do.
            fn eq(&self, other: &Self) -> bool {
                self.$field == other.$field
            }
        }

        impl<$($params)*> Eq for $Type where T: Eq {}

        impl<$($params)*> Extend<T> for $Type {
            /// Inserts every value.
            ///
            /// # Panics
            ///
            /// When the pool is full, or there is no memory.
            #[track_caller]
            fn extend<I: IntoIterator<Item = T>>(&mut self, values: I) {
                self.$field.extend(values);
            }
        }

        impl<$($params)*> FromIterator<T> for $Type {
            /// Creates a pool of these values.
            ///
            /// # Panics
            ///
            /// When they do not fit, or there is no memory.
            #[track_caller]
            fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
                Self::from(<$Pool>::from_iter(values))
            }
        }

        impl<$($params)*> IntoIterator for $Type {
            type Item = (H, T);
            type IntoIter = <$Pool as IntoIterator>::IntoIter;

            fn into_iter(self) -> Self::IntoIter {
                let unwrap: fn(Self) -> $Pool = $unwrap;
                unwrap(self).into_iter()
            }
        }

        impl<'a, $($params)*> IntoIterator for &'a $Type {
            type Item = (H, &'a T);
            type IntoIter = <&'a $Pool as IntoIterator>::IntoIter;

            fn into_iter(self) -> Self::IntoIter {
                self.$field.iter()
            }
        }

        impl<'a, $($params)*> IntoIterator for &'a mut $Type {
            type Item = (H, &'a mut T);
            type IntoIter = <&'a mut $Pool as IntoIterator>::IntoIter;

            fn into_iter(self) -> Self::IntoIter {
                self.$field.iter_mut()
            }
        }
    };
}

pub(crate) use {as_on_wrapped, wraps_pool};
