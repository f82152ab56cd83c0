//! The same code, compiled against slotmap and against the facade, returns the same. And the types
//! of the facade have the auto traits that slotmap's have.
#![allow(deprecated, reason = "hop slot maps and `Slottable` are in the API")]

use std::cell::Cell;
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher};
use std::iter::FusedIterator;
use std::marker::{PhantomData, PhantomPinned};
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::rc::Rc;
use std::sync::MutexGuard;

/// A value that cannot be cloned, compared or shown.
struct Value(u64);

impl Value {
    /// Changes the value, and returns the new one.
    fn change(&mut self) -> u64 {
        self.0 += 100;
        self.0
    }
}

/// Goes to the end of an iterator and beyond, and returns the length before every item.
fn lengths<I: ExactSizeIterator + FusedIterator>(mut iter: I) -> Vec<usize> {
    let mut lengths = Vec::new();
    loop {
        lengths.push(iter.len());
        assert_eq!(iter.size_hint(), (iter.len(), Some(iter.len())));
        if iter.next().is_none() {
            break;
        }
    }
    assert!(iter.next().is_none() && iter.len() == 0);
    lengths
}

/// Returns the items of an iterator, sorted. A clone yields what is left of the iterator.
fn cloned<I: Iterator + Clone>(mut iter: I, see: impl Fn(I::Item) -> u64 + Copy) -> Vec<u64> {
    let first = iter.next().map(see);
    let copy = iter.clone();
    let mut items: Vec<u64> = iter.map(see).collect();
    assert!(copy.map(see).eq(items.iter().copied()));
    items.extend(first);
    items.sort_unstable();
    items
}

/// All iterators of a map: their lengths, what clones of them yield, and their items, sorted.
macro_rules! iterators {
    ($filled:expr) => {{
        let (mut map, _) = $filled;
        let found = vec![
            lengths(map.iter()),
            lengths(map.iter_mut()),
            lengths(map.keys()),
            lengths(map.values()),
            lengths(map.values_mut()),
            lengths((&map).into_iter()),
            lengths((&mut map).into_iter()),
            lengths(map.into_iter()),
            lengths($filled.0.drain()),
        ];

        let (mut map, _) = $filled;
        let mut seen: Vec<Vec<u64>> = vec![
            cloned(map.iter(), |(key, value)| bits(key) ^ value.0),
            cloned(map.keys(), bits),
            cloned(map.values(), |value| value.0),
            map.iter_mut().map(|(key, value)| bits(key) ^ value.change()).collect(),
            map.values_mut().map(Value::change).collect(),
            (&mut map).into_iter().map(|(key, value)| bits(key) ^ value.change()).collect(),
            map.into_iter().map(|(key, value)| bits(key) ^ value.0).collect(),
            $filled.0.drain().map(|(key, value)| bits(key) ^ value.0).collect(),
        ];
        seen.iter_mut().for_each(|items| items.sort_unstable());
        (found, seen)
    }};
}

/// What all maps have that is `unsafe` in slotmap.
macro_rules! unchecked {
    ($filled:expr) => {{
        let (mut map, keys) = $filled;
        // SAFETY: the keys must have values, and those of one call must differ: see `filled`.
        unsafe {
            map.get_unchecked_mut(keys[1]).0 += 10;
            let [a, b] = map.get_disjoint_unchecked_mut([keys[3], keys[0]]);
            a.0 += 1_000;
            std::mem::swap(a, b);
            let [] = map.get_disjoint_unchecked_mut([]);
            keys.map(|key| map.get_unchecked(key).0)
        }
    }};
}

/// The code for one slot map.
macro_rules! slot_map {
    ($name:ident, $crate_name:ident, $Map:ident) => {
        pub(super) mod $name {
            use super::*;
            use $crate_name::{DefaultKey, Key, new_key_type, $Map as Map};

            new_key_type! { struct NewKey; }

            fn bits<K: Key>(key: K) -> u64 {
                key.data().as_ffi()
            }

            /// A map with holes, and four keys that have values.
            fn filled() -> (Map<NewKey, Value>, [NewKey; 4]) {
                let mut map = Map::with_capacity_and_key(3);
                let keys: Vec<NewKey> = (0..7).map(|n| map.insert(Value(n))).collect();
                map.retain(|key, _| ![keys[0], keys[3], keys[5]].contains(&key));
                (map, [keys[1], keys[2], keys[4], keys[6]])
            }

            #[expect(unsafe_code, reason = "slotmap's signatures")]
            pub(crate) fn unchecked() -> [u64; 4] {
                unchecked!(filled())
            }

            pub(crate) fn iterators() -> (Vec<Vec<usize>>, Vec<Vec<u64>>) {
                iterators!(filled())
            }

            pub(crate) fn owning_iterators_are_cloned() -> Vec<u64> {
                let mut map = Map::new();
                let keys = [7, 8, 9].map(|value| map.insert(value));
                map.remove(keys[0]);
                cloned(map.into_iter(), |(key, value)| bits(key) ^ value)
            }

            pub(crate) fn constructors() -> [(usize, bool); 5] {
                let maps: [Map<DefaultKey, Value>; 5] = [
                    Map::new(),
                    Map::with_key(),
                    Map::default(),
                    Map::with_capacity(9),
                    Map::with_capacity_and_key(9),
                ];
                maps.map(|map| (map.len(), map.capacity() >= 9))
            }
        }
    };
}

/// The code for one secondary map.
macro_rules! secondary_map {
    ($name:ident, $crate_name:ident, $Map:ident) => {
        pub(super) mod $name {
            use super::*;
            use $crate_name::$name::Entry;
            use $crate_name::{DefaultKey, Key, SlotMap, $Map as Map};

            fn bits<K: Key>(key: K) -> u64 {
                key.data().as_ffi()
            }

            /// A map with holes, and four keys that have values.
            fn filled() -> (Map<DefaultKey, Value>, [DefaultKey; 4]) {
                let mut map = Map::with_capacity(3);
                let mut owner = SlotMap::new();
                let keys: Vec<DefaultKey> = (0..7).map(|n| owner.insert(n)).collect();
                map.extend(keys.iter().copied().zip((0..7).map(Value)));
                map.retain(|key, _| ![keys[0], keys[3], keys[5]].contains(&key));
                (map, [keys[1], keys[2], keys[4], keys[6]])
            }

            #[expect(unsafe_code, reason = "slotmap's signatures")]
            pub(crate) fn unchecked() -> [u64; 4] {
                unchecked!(filled())
            }

            pub(crate) fn iterators() -> (Vec<Vec<usize>>, Vec<Vec<u64>>) {
                iterators!(filled())
            }

            pub(crate) fn entries() -> Vec<u64> {
                let (mut map, keys) = filled();
                let mut seen = Vec::new();
                let newer = $crate_name::KeyData::from_ffi(bits(keys[0]) + (2 << 32)).into();
                for key in [keys[0], newer, keys[0], keys[1], keys[3], DefaultKey::null()] {
                    let Some(mut entry) = map.entry(key) else { continue };
                    seen.push(bits(entry.key()));
                    match &mut entry {
                        Entry::Occupied(entry) => {
                            seen.extend([bits(entry.key()), entry.get().0, entry.get_mut().change()]);
                            seen.extend([entry.insert(Value(70)).0, entry.get().0]);
                        }
                        Entry::Vacant(entry) => seen.push(bits(entry.key())),
                    }
                    let entry = entry.and_modify(|value| value.0 += 1);
                    match entry {
                        Entry::Occupied(entry) if key == keys[1] => seen.push(entry.remove().0),
                        Entry::Occupied(entry) if key == keys[3] => {
                            let (key, value) = entry.remove_entry();
                            seen.extend([bits(key), value.0]);
                        }
                        Entry::Occupied(entry) => seen.push(entry.into_mut().change()),
                        Entry::Vacant(entry) => seen.push(entry.insert(Value(50)).change()),
                    }
                }
                for key in [newer, keys[1], keys[2], keys[3]] {
                    seen.extend(map.entry(key).map(|entry| entry.or_insert(Value(5)).0));
                    seen.extend(map.entry(key).map(|entry| entry.or_insert_with(|| Value(6)).0));
                    map.remove(key);
                    seen.extend(map.entry(key).map(|entry| entry.or_insert_with(|| Value(7)).0));
                }
                let mut numbers: Map<DefaultKey, u64> = Map::default();
                seen.extend(numbers.entry(newer).map(|entry| *entry.or_default()));
                seen.push(numbers.len() as u64);
                seen
            }
        }
    };
}

/// All code, for one crate.
macro_rules! code {
    ($name:ident, $crate_name:ident) => {
        mod $name {
            use super::*;
            use $crate_name::{DefaultKey, DenseSlotMap, Key, KeyData, SlotMap, Slottable, SparseSecondaryMap};

            slot_map!(basic, $crate_name, SlotMap);
            slot_map!(hop, $crate_name, HopSlotMap);
            slot_map!(dense, $crate_name, DenseSlotMap);
            secondary_map!(secondary, $crate_name, SecondaryMap);
            secondary_map!(sparse_secondary, $crate_name, SparseSecondaryMap);

            pub(crate) fn slices() -> Vec<u64> {
                let mut map = DenseSlotMap::new();
                let keys: Vec<DefaultKey> = (0..6).map(|n| map.insert(Value(n))).collect();
                map.remove(keys[1]);
                map.values_as_mut_slice()[0].0 = 40;
                let (found, values) = map.as_mut_slices();
                values.swap(0, 3);
                values[1].0 += found.len() as u64;
                let by_key = found.iter().map(|key| key.data().as_ffi()).collect::<Vec<_>>();
                let looked_up = keys.iter().map(|key| map.get(*key).map_or(99, |value| value.0));
                let values = map.values_as_slice().iter().map(|value| value.0);
                assert_eq!(map.keys_as_slice(), map.as_slices().0);
                assert!(map.as_slices().1.iter().map(|value| value.0).eq(values.clone()));
                by_key.into_iter().chain(looked_up).chain(values).collect()
            }

            /// The lengths of a map with a hasher of its own, and whether the hasher is used.
            pub(crate) fn hashers() -> Vec<(usize, bool)> {
                let keys: Vec<DefaultKey> = {
                    let mut owner = SlotMap::new();
                    (0..20).map(|n| owner.insert(n)).collect()
                };
                let mut seen = Vec::new();
                let mut see = |map: &mut SparseSecondaryMap<DefaultKey, u64, Counts>, counts: &Counts| {
                    map.extend(keys.iter().copied().zip(0_u64..));
                    map.extend(keys.iter().copied().zip(&[7_u64]));
                    let before = counts.0.get();
                    let sum: u64 = keys.iter().map(|key| map[*key]).sum();
                    seen.push((map.len() + sum as usize, before >= 20 && counts.0.get() > before));
                };
                let counts = Counts::default();
                let mut map = SparseSecondaryMap::with_hasher(counts.clone());
                see(&mut map, &counts);
                let mut copy = map.clone();
                assert!(copy == map);
                see(&mut copy, &counts);
                let counts = Counts::default();
                let mut map = SparseSecondaryMap::with_capacity_and_hasher(30, counts.clone());
                assert!(map.capacity() >= 30);
                see(&mut map, &counts);
                let mut map: SparseSecondaryMap<DefaultKey, u64, Counts> = map.into_iter().collect();
                assert!(copy == map);
                map.clear();
                assert!(SparseSecondaryMap::default() == map);
                seen
            }

            fn keys() -> Vec<DefaultKey> {
                KEYS.iter().map(|bits| KeyData::from_ffi(*bits).into()).collect()
            }

            /// What keys write into a hasher, and how.
            pub(crate) fn hashes() -> Vec<Vec<String>> {
                let written = |key: &dyn Fn(&mut Calls)| {
                    let mut calls = Calls::default();
                    key(&mut calls);
                    calls.0
                };
                let keys = keys().into_iter().chain([DefaultKey::null(), DefaultKey::default()]);
                keys.flat_map(|key| [written(&|to| key.hash(to)), written(&|to| key.data().hash(to))]).collect()
            }

            /// The order of all pairs of keys, and of their data.
            pub(crate) fn orders() -> Vec<(std::cmp::Ordering, bool, bool)> {
                let keys: Vec<DefaultKey> = keys().into_iter().chain([DefaultKey::null()]).collect();
                let pairs = keys.iter().flat_map(|a| keys.iter().map(move |b| (a, b)));
                pairs
                    .map(|(a, b)| {
                        assert_eq!(a.partial_cmp(b), a.data().partial_cmp(&b.data()));
                        (a.cmp(b), a == b, a.data() == b.data())
                    })
                    .collect()
            }

            /// Every type has the marker.
            pub(crate) fn slottable() -> usize {
                fn size<T: Slottable>() -> usize {
                    size_of::<T>()
                }
                size::<u8>() + size::<Value>() + size::<Rc<Cell<u8>>>() + size::<&mut u8>()
            }
        }
    };
}

/// Keys with other indices than 0, and without a second null key (see the table in the README).
const KEYS: [u64; 9] = [
    1 << 32 | 1,
    3 << 32 | 1,
    1 << 32 | 2,
    2 << 32 | 2,
    9 << 32 | 0x8000_0000,
    1 << 32 | 0xffff_fffe,
    0xffff_ffff << 32 | 1,
    0x8000_0001 << 32 | 2,
    1 << 32 | 0xffff_ffff,
];

/// Counts the hashers that it builds.
#[derive(Clone, Default)]
struct Counts(Rc<Cell<u32>>);

impl BuildHasher for Counts {
    type Hasher = DefaultHasher;

    fn build_hasher(&self) -> DefaultHasher {
        self.0.set(self.0.get() + 1);
        DefaultHasher::new()
    }
}

/// Notes the calls of a `Hash` implementation.
#[derive(Default)]
struct Calls(Vec<String>);

impl Hasher for Calls {
    fn finish(&self) -> u64 {
        0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0.push(format!("{bytes:?}"));
    }

    fn write_u32(&mut self, number: u32) {
        self.0.push(format!("u32 {number}"));
    }

    fn write_u64(&mut self, number: u64) {
        self.0.push(format!("u64 {number}"));
    }
}

code!(theirs, original);
code!(ours, tenure_slotmap);

/// Makes tests that compare what the functions of these names return.
macro_rules! returns_the_same {
    ($($name:ident: $($module:ident)::+;)*) => {$(
        #[test]
        fn $name() {
            assert_eq!(ours::$($module)::+(), theirs::$($module)::+());
        }
    )*};
}

returns_the_same! {
    unchecked_lookups_in_a_slot_map: basic::unchecked;
    unchecked_lookups_in_a_hop_slot_map: hop::unchecked;
    unchecked_lookups_in_a_dense_slot_map: dense::unchecked;
    unchecked_lookups_in_a_secondary_map: secondary::unchecked;
    unchecked_lookups_in_a_sparse_secondary_map: sparse_secondary::unchecked;
    iterators_of_a_slot_map: basic::iterators;
    iterators_of_a_hop_slot_map: hop::iterators;
    iterators_of_a_dense_slot_map: dense::iterators;
    iterators_of_a_secondary_map: secondary::iterators;
    iterators_of_a_sparse_secondary_map: sparse_secondary::iterators;
    owning_iterators_of_a_slot_map: basic::owning_iterators_are_cloned;
    owning_iterators_of_a_hop_slot_map: hop::owning_iterators_are_cloned;
    owning_iterators_of_a_dense_slot_map: dense::owning_iterators_are_cloned;
    constructors_of_a_slot_map: basic::constructors;
    constructors_of_a_hop_slot_map: hop::constructors;
    constructors_of_a_dense_slot_map: dense::constructors;
    entries_of_a_secondary_map: secondary::entries;
    entries_of_a_sparse_secondary_map: sparse_secondary::entries;
    slices: slices;
    hashers: hashers;
    hashes_of_keys: hashes;
    orders_of_keys: orders;
    slottable: slottable;
}

/// Whether a type has an auto trait: the constant of the type if it has, otherwise that of the
/// trait.
struct Probe<T>(PhantomData<T>);

macro_rules! probes {
    ($($Auto:ident: $NotAuto:ident, $IS:ident;)*) => {
        $(
            trait $NotAuto {
                const $IS: bool = false;
            }
            impl<T> $NotAuto for Probe<T> {}
            impl<T: $Auto> Probe<T> {
                const $IS: bool = true;
            }
        )*

        const AUTO_TRAITS: [&str; 5] = [$(stringify!($Auto)),*];

        macro_rules! auto_traits_of {
            ($Type:ty) => { [$(Probe::<$Type>::$IS),*] };
        }
    };
}

probes! {
    Send: NotSend, IS_SEND;
    Sync: NotSync, IS_SYNC;
    Unpin: NotUnpin, IS_UNPIN;
    UnwindSafe: NotUnwindSafe, IS_UNWIND_SAFE;
    RefUnwindSafe: NotRefUnwindSafe, IS_REF_UNWIND_SAFE;
}

/// A key that has no auto trait, for both crates.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Bare<D> {
    data: D,
    about: PhantomData<(*const Cell<u8>, PhantomPinned)>,
}

macro_rules! bare_key {
    ($($crate_name:ident)*) => {$(
        impl From<$crate_name::KeyData> for Bare<$crate_name::KeyData> {
            fn from(data: $crate_name::KeyData) -> Self {
                Self { data, about: PhantomData }
            }
        }

        #[expect(unsafe_code, reason = "the trait is unsafe to implement")]
        // SAFETY: the type behaves as its field `data`.
        unsafe impl $crate_name::Key for Bare<$crate_name::KeyData> {
            fn data(&self) -> $crate_name::KeyData {
                self.data
            }
        }
    )*};
}

bare_key!(original tenure_slotmap);

/// Adds the names of types, and the auto traits of slotmap's type and of the facade's.
macro_rules! compare_auto_traits {
    ($found:ident; $($($path:ident)::+ <$($borrow:lifetime)?>)*; $($Value:ty),*) => {
        compare_auto_traits!(@values $found; [$($($path)::+ <$($borrow)?>)*] $($Value),*)
    };
    (@values $found:ident; $types:tt $($Value:ty),*) => {
        $(compare_auto_traits!(@types $found; $Value; $types);)*
    };
    (@types $found:ident; $Value:ty; [$($($path:ident)::+ <$($borrow:lifetime)?>)*]) => {$(
        $found.extend([
            (
                concat!(stringify!($($path)::+), " of ", stringify!($Value)),
                auto_traits_of!(original::$($path)::+<$($borrow,)? original::DefaultKey, $Value>),
                auto_traits_of!(tenure_slotmap::$($path)::+<$($borrow,)? tenure_slotmap::DefaultKey, $Value>),
            ),
            (
                concat!(stringify!($($path)::+), " of bare keys and ", stringify!($Value)),
                auto_traits_of!(original::$($path)::+<$($borrow,)? Bare<original::KeyData>, $Value>),
                auto_traits_of!(tenure_slotmap::$($path)::+<$($borrow,)? Bare<tenure_slotmap::KeyData>, $Value>),
            ),
        ]);
    )*};
}

/// The facade's types have all auto traits that slotmap's have, and some have more.
#[test]
fn auto_traits() {
    assert_eq!(auto_traits_of!(Cell<u8>), [true, false, true, true, false]);
    assert_eq!(auto_traits_of!((MutexGuard<'static, u8>, PhantomPinned)), [false, true, false, true, true]);
    assert_eq!(auto_traits_of!(&'static mut u8), [true, true, true, false, true]);
    assert_eq!(auto_traits_of!(Bare<original::KeyData>), [false; 5]);

    let mut found = Vec::new();
    compare_auto_traits! {
        found;
        SlotMap<> HopSlotMap<> DenseSlotMap<> SecondaryMap<> SparseSecondaryMap<>
        basic::Drain<'static> basic::IntoIter<> basic::Iter<'static> basic::IterMut<'static>
        basic::Keys<'static> basic::Values<'static> basic::ValuesMut<'static>
        hop::Drain<'static> hop::IntoIter<> hop::Iter<'static> hop::IterMut<'static>
        hop::Keys<'static> hop::Values<'static> hop::ValuesMut<'static>
        dense::Drain<'static> dense::IntoIter<> dense::Iter<'static> dense::IterMut<'static>
        dense::Keys<'static> dense::Values<'static> dense::ValuesMut<'static>
        secondary::Drain<'static> secondary::IntoIter<> secondary::Iter<'static> secondary::IterMut<'static>
        secondary::Keys<'static> secondary::Values<'static> secondary::ValuesMut<'static>
        secondary::Entry<'static> secondary::OccupiedEntry<'static> secondary::VacantEntry<'static>
        sparse_secondary::Drain<'static> sparse_secondary::IntoIter<> sparse_secondary::Iter<'static>
        sparse_secondary::IterMut<'static> sparse_secondary::Keys<'static> sparse_secondary::Values<'static>
        sparse_secondary::ValuesMut<'static> sparse_secondary::Entry<'static>
        sparse_secondary::OccupiedEntry<'static> sparse_secondary::VacantEntry<'static>;
        u8, Cell<u8>, MutexGuard<'static, u8>, &'static mut u8, *const Cell<u8>, PhantomPinned
    }
    let mut missing = Vec::new();
    for (types, theirs, ours) in found {
        let has_not = |nth: &usize| theirs[*nth] && !ours[*nth];
        missing.extend((0..AUTO_TRAITS.len()).filter(has_not).map(|nth| format!("{types}: {}", AUTO_TRAITS[nth])));
    }
    assert_eq!(missing, [""; 0], "slotmap's types have these");
}
