//! The adapter of nearly all containers: their methods have the same names and meanings.

/// Implements [`Family`](crate::contender::Family) and
/// [`Contender`](crate::contender::Contender) for a container type. The arguments are what differs:
/// the method that removes without panicking, how to iterate over the values, and the types that
/// have the methods, if the container dereferences to another type.
macro_rules! adapt {
    ($family:ident = $name:literal, $role:expr, $container:ty, handle: $($rest:tt)*) => {
        adapt! { $family = $name, $role, $container, get: $container, others: $container, handle: $($rest)* }
    };
    (
        $family:ident = $name:literal, $role:expr, $container:ty, get: $looks:ty, others: $methods:ty,
        handle: $handle:ty, remove: $remove:ident,
        values: |$shared:ident| $values:expr, values_mut: |$alone:ident| $values_mut:expr $(, discard: $discard:ident)? $(,)?
    ) => {
        pub struct $family;

        impl $crate::contender::Family for $family {
            const NAME: &'static str = $name;
            const ROLE: $crate::contender::Role = $role;
            type Of<T: $crate::value::Value> = $container;
        }

        impl<T: $crate::value::Value> $crate::contender::Contender<T> for $container {
            type Handle = $handle;

            fn new() -> Self {
                <$container>::new()
            }
            fn with_capacity(count: usize) -> Self {
                <$container>::with_capacity(count)
            }
            // Full paths below: the methods of the trait have the same names, and would call
            // themselves.
            fn len(&self) -> usize {
                <$methods>::len(self)
            }
            #[inline]
            fn insert(&mut self, value: T) -> $handle {
                <$methods>::insert(self, value)
            }
            #[inline]
            fn get(&mut self, handle: $handle) -> Option<&T> {
                <$looks>::get(self, handle)
            }
            #[inline]
            fn at(&mut self, handle: $handle) -> &T {
                &(*self)[handle]
            }
            $(
                #[inline]
                fn discard(&mut self, handle: $handle) {
                    <$methods>::$discard(self, handle);
                }
            )?
            #[inline]
            fn remove(&mut self, handle: $handle) -> Option<T> {
                <$methods>::$remove(self, handle)
            }
            #[inline]
            fn values<'a>(&'a mut self) -> impl Iterator<Item = &'a T>
            where
                T: 'a,
            {
                let $shared: &$methods = self;
                $values
            }
            #[inline]
            fn values_mut<'a>(&'a mut self) -> impl Iterator<Item = &'a mut T>
            where
                T: 'a,
            {
                let $alone: &mut $methods = self;
                $values_mut
            }
            #[inline]
            fn iter<'a>(&'a mut self) -> impl Iterator<Item = ($handle, &'a T)>
            where
                T: 'a,
            {
                <$methods>::iter(self)
            }
            #[inline]
            fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
                <$methods>::retain(self, |_, value| keep(value));
            }
            #[inline]
            fn clear(&mut self) {
                <$methods>::clear(self);
            }
        }
    };
}

pub(super) use adapt;
