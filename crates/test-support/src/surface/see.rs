//! Methods with `&self`, and copies: the same for all containers that look like a pool.

/// The methods of [`Adapter`](crate::subject::Adapter) that forward to `self.0`.
macro_rules! see {
    () => {
        fn see(&self, name: $crate::name::Name) -> $crate::answer::Sight {
            let name = name.handle();
            $crate::answer::Sight {
                get: self.0.get(name).map(|value| $crate::surface::id_of(&value)),
                contains: self.0.contains(name),
                status: self.0.status(name),
                why_not: self.0.try_get(name).err().map(Into::into),
            }
        }

        fn listing(&self) -> $crate::subject::Listing {
            self.0.iter().map(|(name, value)| (name.into(), $crate::surface::id_of(&value))).collect()
        }

        fn census(&self) -> $crate::answer::Census {
            let stats = self.0.stats();
            let counts = $crate::answer::Census::new(self.0.len(), self.0.is_empty(), &stats);
            $crate::answer::Census { capacity: self.0.capacity(), ..counts }
        }

        fn validate(&mut self) -> Result<(), String> {
            self.0.validate().map_err(|fault| fault.to_string())
        }

        fn duplicate(&self) -> Option<Self> {
            Some(Self(self.0.clone()))
        }

        fn overwrite(&mut self, original: &Self) -> bool {
            self.0.clone_from(&original.0);
            true
        }

        fn reload(&self, format: $crate::saved::Format) -> Option<Result<Self, String>> {
            Some($crate::saved::reload(&self.0, format).map(Self))
        }

        fn equals(&self, other: &Self) -> Option<bool> {
            Some(self.0 == other.0)
        }
    };
}
pub(crate) use see;
