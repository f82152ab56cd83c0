//! The adapter that nearly all containers share: their methods have the same names and meanings.

/// Makes a family of a container type. What differs is given: how to remove without a panic, and how to walk values.
macro_rules! adapt {
    (
        $family:ident = $name:literal, $role:expr, $container:ty, handle: $handle:ty, remove: $remove:ident,
        values: |$shared:ident| $values:expr, values_mut: |$alone:ident| $values_mut:expr $(,)?
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
            fn len(&self) -> usize {
                self.len()
            }
            #[inline]
            fn insert(&mut self, value: T) -> $handle {
                <$container>::insert(self, value) // Not `self.insert`: one of them takes `&self`.
            }
            #[inline]
            fn get(&self, handle: $handle) -> Option<&T> {
                self.get(handle)
            }
            #[inline]
            fn remove(&mut self, handle: $handle) -> Option<T> {
                self.$remove(handle)
            }
            #[inline]
            fn values<'a>(&'a self) -> impl Iterator<Item = &'a T>
            where
                T: 'a,
            {
                let $shared = self;
                $values
            }
            #[inline]
            fn values_mut<'a>(&'a mut self) -> impl Iterator<Item = &'a mut T>
            where
                T: 'a,
            {
                let $alone = self;
                $values_mut
            }
            #[inline]
            fn iter<'a>(&'a self) -> impl Iterator<Item = ($handle, &'a T)>
            where
                T: 'a,
            {
                self.iter()
            }
            #[inline]
            fn retain(&mut self, mut keep: impl FnMut(&mut T) -> bool) {
                self.retain(|_, value| keep(value));
            }
            #[inline]
            fn clear(&mut self) {
                self.clear();
            }
        }
    };
}

pub(super) use adapt;
