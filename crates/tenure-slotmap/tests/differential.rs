//! slotmap beside the facade: the same calls, compared after every one.
#![allow(deprecated, reason = "hop slot maps are in the API")]

use std::cell::Cell;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use original::Key as _;
use proptest::collection::vec;
use proptest::prelude::*;
use tenure_slotmap::Key as _;

type Ours = tenure_slotmap::DefaultKey;
type Theirs = original::DefaultKey;

fn ffi(key: Ours) -> u64 {
    key.data().as_ffi()
}

fn ours(bits: u64) -> Ours {
    tenure_slotmap::KeyData::from_ffi(bits).into()
}

fn theirs(bits: u64) -> Theirs {
    original::KeyData::from_ffi(bits).into()
}

/// Panics without a message.
fn panic_now() -> ! {
    std::panic::resume_unwind(Box::new("expected"))
}

/// Returns `true` if the closure panics. The message is not printed.
fn panics<R>(what: impl FnOnce() -> R) -> bool {
    thread_local! { static EXPECTED: Cell<bool> = const { Cell::new(false) }; }
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let loud = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !EXPECTED.get() {
                loud(info);
            }
        }));
    });
    EXPECTED.set(true);
    let has_panicked = catch_unwind(AssertUnwindSafe(what)).is_err();
    EXPECTED.set(false);
    has_panicked
}

#[derive(Clone, Copy, Debug)]
enum Op {
    Insert,
    InsertWith,
    InsertFails,
    InsertPanics,
    Remove(u16),
    Get(u16),
    Detach(u16),
    Reattach(u16),
    ReattachWrongly(u16),
    Retain(u32),
    RetainPanics(u16),
    Clear,
    Drain(u8),
    ForgetDrain(u8),
    Clone,
    CloneFrom,
    Disjoint(u16, u16),
    Reserve,
    Save,
}

fn op() -> impl Strategy<Value = Op> {
    (0_u8..60, any::<u16>(), any::<u16>()).prop_map(|(op, a, b)| match op {
        0..=15 => Op::Insert,
        16..=19 => Op::InsertWith,
        20 => Op::InsertFails,
        21 => Op::InsertPanics,
        22..=33 => Op::Remove(a),
        34..=36 => Op::Get(a),
        37..=40 => Op::Detach(a),
        41..=44 => Op::Reattach(a),
        45 => Op::ReattachWrongly(a),
        46..=48 => Op::Retain(u32::from(b) % 5 + 2),
        49 if a < 20_000 => Op::Clear,
        50 if a < 20_000 => Op::Drain(b as u8 % 8),
        51 if a < 20_000 => Op::ForgetDrain(b as u8 % 8),
        52 => Op::Clone,
        53 => Op::CloneFrom,
        54 => Op::Reserve,
        55 | 57 => Op::Save,
        56 => Op::RetainPanics(a),
        _ => Op::Disjoint(a, b),
    })
}

/// Makes a test of one map. `detach` is left out for a map that has none.
macro_rules! beside_slotmap {
    ($test:ident, $Map:ident $(, $detach:ident)?) => {
        mod $test {
            use super::*;

            type Mine = tenure_slotmap::$Map<Ours, u32>;
            type Orig = original::$Map<Theirs, u32>;

            #[derive(Default)]
            struct Pair {
                mine: Mine,
                orig: Orig,
                /// All keys that were ever issued, and the value.
                keys: Vec<(Ours, Theirs, u32)>,
                detached: Vec<(Ours, Theirs, u32)>,
                next: u32,
                /// A slot may have been used again, so the keys differ.
                reused: bool,
            }

            impl Pair {
                fn issued(&mut self, mine: Ours, orig: Theirs) {
                    if !self.reused {
                        assert_eq!(ffi(mine), orig.data().as_ffi());
                        assert_eq!(format!("{mine:?}"), format!("{orig:?}"));
                    }
                    self.keys.push((mine, orig, self.next));
                    self.next += 1;
                }

                fn pick(&self, at: u16) -> Option<(Ours, Theirs, u32)> {
                    if self.keys.is_empty() { None } else { Some(self.keys[usize::from(at) % self.keys.len()]) }
                }

                fn step(&mut self, op: Op) {
                    let next = self.next;
                    match op {
                        Op::Insert => {
                            let (mine, orig) = (self.mine.insert(next), self.orig.insert(next));
                            self.issued(mine, orig);
                        }
                        Op::InsertWith => {
                            let (mut told, mut told_orig) = (Ours::null(), Theirs::null());
                            let mine = self.mine.insert_with_key(|key| { told = key; next });
                            let orig = self.orig.insert_with_key(|key| { told_orig = key; next });
                            assert_eq!((told, told_orig), (mine, orig));
                            self.issued(mine, orig);
                        }
                        Op::InsertFails => {
                            assert_eq!(self.mine.try_insert_with_key(|_| Err("no")), Err("no"));
                            assert_eq!(self.orig.try_insert_with_key(|_| Err("no")), Err("no"));
                        }
                        Op::InsertPanics => {
                            assert!(panics(|| self.mine.insert_with_key(|_| std::panic::resume_unwind(Box::new(0)))));
                            assert!(panics(|| self.orig.insert_with_key(|_| std::panic::resume_unwind(Box::new(0)))));
                        }
                        Op::Remove(at) => {
                            let Some((mine, orig, _)) = self.pick(at) else { return };
                            self.reused = true;
                            assert_eq!(self.mine.remove(mine), self.orig.remove(orig));
                        }
                        Op::Get(at) => {
                            let Some((mine, orig, _)) = self.pick(at) else { return };
                            assert_eq!(self.mine.get_mut(mine), self.orig.get_mut(orig));
                        }
                        Op::Detach(_at) | Op::Reattach(_at) | Op::ReattachWrongly(_at) => {
                            $(self.$detach(op, _at);)?
                        }
                        Op::Retain(modulus) => {
                            self.reused = true;
                            self.mine.retain(|_, value| *value % modulus != 0);
                            self.orig.retain(|_, value| *value % modulus != 0);
                        }
                        Op::RetainPanics(at) => {
                            let Some((.., stop)) = self.pick(at) else { return };
                            self.reused = true;
                            // The order of the two maps may differ, so nothing is removed before.
                            let keep = |value: &mut u32| if *value == stop { panic_now() } else { true };
                            let mine = panics(|| self.mine.retain(|_, value| keep(value)));
                            assert_eq!(mine, panics(|| self.orig.retain(|_, value| keep(value))));
                            assert_eq!(mine, self.mine.values().any(|value| *value == stop));
                        }
                        Op::Clear => {
                            self.reused = true;
                            self.mine.clear();
                            self.orig.clear();
                        }
                        Op::Drain(count) => {
                            self.reused = true;
                            let (mut mine, mut orig) = (self.mine.drain(), self.orig.drain());
                            for _ in 0..count {
                                assert_eq!(mine.len(), orig.len());
                                assert_eq!(mine.next().is_some(), orig.next().is_some());
                            }
                        }
                        Op::ForgetDrain(count) => {
                            self.reused = true;
                            let mut all: Vec<u32> = self.orig.values().copied().collect();
                            let mut drain = self.mine.drain();
                            let mut found: Vec<u32> = drain.by_ref().take(usize::from(count)).map(|(_, v)| v).collect();
                            std::mem::forget(drain);
                            let mut drain = self.orig.drain();
                            let _ = drain.by_ref().take(usize::from(count)).count();
                            std::mem::forget(drain);
                            assert_eq!(self.mine.len(), self.orig.len());
                            found.extend(self.mine.drain().map(|(_, value)| value));
                            self.orig.clear();
                            all.sort_unstable();
                            found.sort_unstable();
                            assert_eq!(all, found);
                        }
                        Op::Clone => (self.mine, self.orig) = (self.mine.clone(), self.orig.clone()),
                        Op::CloneFrom => {
                            let (mut mine, mut orig) = (Mine::default(), Orig::default());
                            (mine.insert(1), orig.insert(1));
                            mine.clone_from(&self.mine);
                            orig.clone_from(&self.orig);
                            (self.mine, self.orig) = (mine, orig);
                        }
                        Op::Disjoint(a, b) => {
                            let (Some(a), Some(b)) = (self.pick(a), self.pick(b)) else { return };
                            let mine = self.mine.get_disjoint_mut([a.0, b.0]).map(|values| values.map(|value| *value));
                            let orig = self.orig.get_disjoint_mut([a.1, b.1]).map(|values| values.map(|value| *value));
                            assert_eq!(mine, orig);
                        }
                        Op::Reserve => {
                            self.mine.reserve(10);
                            self.orig.try_reserve(10).unwrap();
                            assert!(self.mine.capacity() >= self.mine.len() + 10);
                            let mine = self.mine.try_reserve(usize::MAX / 2);
                            assert!(mine.is_err());
                            assert_eq!(mine, self.orig.try_reserve(usize::MAX / 2));
                            // slotmap asks the allocator; here there are no more than 2^32 slots.
                            if let Some(many) = 1_usize.checked_shl(44) {
                                assert!(self.mine.try_reserve(many).is_err());
                                assert!(self.orig.try_reserve(many).is_err());
                            }
                        }
                        Op::Save => self.save(),
                    }
                }

                $(
                    fn $detach(&mut self, op: Op, at: u16) {
                        match op {
                            Op::Detach(_) => {
                                let Some(key) = self.pick(at) else { return };
                                let value = self.mine.detach(key.0);
                                assert_eq!(value, self.orig.detach(key.1));
                                if value.is_some() {
                                    self.detached.push(key);
                                }
                            }
                            Op::Reattach(_) if !self.detached.is_empty() => {
                                let key = self.detached.swap_remove(usize::from(at) % self.detached.len());
                                self.mine.reattach(key.0, key.2);
                                self.orig.reattach(key.1, key.2);
                            }
                            _ => {
                                let Some(key) = self.pick(at) else { return };
                                if !self.detached.contains(&key) {
                                    assert!(panics(|| self.mine.reattach(key.0, 0)));
                                    assert!(panics(|| self.orig.reattach(key.1, 0)));
                                }
                            }
                        }
                    }
                )?

                /// Saved by either, loaded by the other: the same keys find the same values. Both
                /// sides go on with the map that the other one has saved.
                fn save(&mut self) {
                    let json = serde_json::to_string(&self.mine).unwrap();
                    if !self.reused {
                        assert_eq!(json, serde_json::to_string(&self.orig).unwrap());
                    }
                    let orig: Orig = serde_json::from_str(&json).unwrap();
                    let bytes: Orig = postcard::from_bytes(&postcard::to_allocvec(&self.mine).unwrap()).unwrap();
                    assert_eq!((orig.len(), bytes.len()), (self.mine.len(), self.mine.len()));
                    for &(key, ..) in &self.keys {
                        assert_eq!(orig.get(theirs(ffi(key))), self.mine.get(key));
                        assert_eq!(bytes.get(theirs(ffi(key))), self.mine.get(key));
                    }
                    let json = serde_json::to_string(&self.orig).unwrap();
                    let mine: Mine = serde_json::from_str(&json).unwrap();
                    assert_eq!(serde_json::to_string(&mine).unwrap(), json);
                    let bytes: Mine = postcard::from_bytes(&postcard::to_allocvec(&self.orig).unwrap()).unwrap();
                    assert_eq!((mine.len(), bytes.len()), (self.orig.len(), self.orig.len()));
                    for &(_, key, _) in &self.keys {
                        assert_eq!(mine.get(ours(key.data().as_ffi())), self.orig.get(key));
                        assert_eq!(bytes.get(ours(key.data().as_ffi())), self.orig.get(key));
                    }

                    (self.mine, self.orig) = (bytes, orig);
                    for (mine, orig, _) in &mut self.keys {
                        (*mine, *orig) = (ours(orig.data().as_ffi()), theirs(ffi(*mine)));
                    }
                    // Both have saved detached keys as removed ones.
                    self.reused |= !self.detached.is_empty();
                    self.detached.clear();
                }

                fn compare(&mut self) {
                    assert_eq!((self.mine.len(), self.mine.is_empty()), (self.orig.len(), self.orig.is_empty()));
                    for &(mine, orig, value) in &self.keys {
                        assert_eq!(self.mine.get(mine), self.orig.get(orig));
                        assert_eq!(self.mine.contains_key(mine), self.orig.contains_key(orig));
                        assert!(self.mine.get(mine).is_none_or(|found| *found == value));
                    }
                    let keys: HashMap<u32, Ours> = self.keys.iter().map(|&(key, _, value)| (value, key)).collect();
                    let mut values: Vec<u32> = self.mine.values().copied().collect();
                    assert!(self.mine.iter().all(|(key, value)| keys[value] == key));
                    assert!(self.mine.iter_mut().map(|(_, value)| *value).eq(values.iter().copied()));
                    assert!(self.mine.values_mut().map(|value| *value).eq(values.iter().copied()));
                    assert!(self.mine.keys().eq(values.iter().map(|value| keys[value])));
                    assert!(self.mine.clone().into_iter().eq(values.iter().map(|value| (keys[value], *value))));
                    let mut orig: Vec<u32> = self.orig.values().copied().collect();
                    if !self.reused && self.detached.is_empty() {
                        assert_eq!(values, orig, "the order of iteration");
                    }
                    values.sort_unstable();
                    orig.sort_unstable();
                    assert_eq!(values, orig);
                }
            }

            proptest! {
                #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..Default::default() })]
                #[test]
                fn random_calls(ops in vec(op(), 1..150)) {
                    let mut pair = Pair::default();
                    for op in ops {
                        pair.step(op);
                        pair.compare();
                    }
                    pair.save();
                }
            }
        }
    };
}

beside_slotmap!(slot_map, SlotMap, detaching);
beside_slotmap!(hop_slot_map, HopSlotMap);
beside_slotmap!(dense_slot_map, DenseSlotMap, detaching);

fn is_zero(key: u64) -> bool {
    key as u32 == 0
}

#[derive(Clone, Copy, Debug)]
enum SideOp {
    Insert(u64),
    Remove(u64),
    Entry(u64),
    Modify(u64),
    RemoveEntry(u64),
    Disjoint(u64, u64),
    Retain(u32),
    Clear,
    Drain(u8),
    ForgetDrain(u8),
    RetainPanics(u32),
    EntryPanics(u64),
    Capacity(u8),
    Clone,
    CloneFrom(u64),
    Collect,
    Extend(u64, u64),
    Save,
}

/// Indices from 1 on, as slotmap issues them, and the null key; versions of all kinds, also even
/// ones. With `zero` index 0, too, which slotmap does not issue (see `index_zero`), and with `far`
/// indices that get no slot here.
fn key(zero: bool, far: bool) -> impl Strategy<Value = u64> + Clone {
    (0_u64..32, 0_u64..7).prop_map(move |(index, version)| {
        version << 32
            | match index {
                0 if zero => 0,
                29 => u64::from(u32::MAX),
                30 | 31 if far => 20_000 + index,
                _ => index.clamp(1, 28),
            }
    })
}

fn side_op(zero: bool, far: bool) -> impl Strategy<Value = SideOp> {
    (0_u8..46, key(zero, far), key(zero, far), any::<u8>()).prop_map(|(op, a, b, n)| match op {
        0..=14 => SideOp::Insert(a),
        15..=20 => SideOp::Remove(a),
        21..=23 => SideOp::Entry(a),
        24 => SideOp::Modify(a),
        25..=26 => SideOp::RemoveEntry(a),
        27..=28 => SideOp::Disjoint(a, b),
        29 => SideOp::Retain(u32::from(n) % 4 + 2),
        30 => SideOp::Clear,
        31 => SideOp::Drain(n % 5),
        32 => SideOp::Clone,
        33 => SideOp::CloneFrom(a),
        34 => SideOp::Collect,
        35..=36 => SideOp::Save,
        37 => SideOp::ForgetDrain(n % 5),
        38..=39 => SideOp::RetainPanics(u32::from(n)),
        40..=41 => SideOp::EntryPanics(a),
        42 => SideOp::Capacity(n),
        _ => SideOp::Extend(a, b),
    })
}

macro_rules! side_beside_slotmap {
    ($test:ident, $Map:ident, $module:ident, $is_sorted:expr, $reserve:ident) => {
        mod $test {
            use super::*;

            type Mine = tenure_slotmap::$Map<Ours, u32>;
            type Orig = original::$Map<Theirs, u32>;

            fn step(mine: &mut Mine, orig: &mut Orig, op: SideOp, value: u32) {
                match op {
                    SideOp::Insert(key) => assert_eq!(mine.insert(ours(key), value), orig.insert(theirs(key), value)),
                    SideOp::Remove(key) => assert_eq!(mine.remove(ours(key)), orig.remove(theirs(key))),
                    SideOp::Entry(key) => {
                        let mine = mine.entry(ours(key)).map(|entry| *entry.or_insert_with(|| value));
                        assert_eq!(mine, orig.entry(theirs(key)).map(|entry| *entry.or_insert(value)));
                    }
                    SideOp::Modify(key) => {
                        let mine = mine.entry(ours(key)).map(|entry| {
                            assert_eq!(entry.key(), ours(key));
                            *entry.and_modify(|value| *value += 1).or_default()
                        });
                        let orig =
                            orig.entry(theirs(key)).map(|entry| *entry.and_modify(|value| *value += 1).or_default());
                        assert_eq!(mine, orig);
                    }
                    SideOp::RemoveEntry(key) => {
                        use {original::$module::Entry as OrigEntry, tenure_slotmap::$module::Entry};
                        let found = match mine.entry(ours(key)) {
                            Some(Entry::Occupied(mut entry)) => {
                                let old = entry.insert(value);
                                assert_eq!((entry.key(), *entry.get(), *entry.get_mut()), (ours(key), value, value));
                                Some((old, entry.remove_entry().1))
                            }
                            Some(Entry::Vacant(entry)) => {
                                assert_eq!(entry.key(), ours(key));
                                None
                            }
                            None => None,
                        };
                        let orig = match orig.entry(theirs(key)) {
                            Some(OrigEntry::Occupied(mut entry)) => Some((entry.insert(value), entry.remove())),
                            _ => None,
                        };
                        assert_eq!(found, orig);
                        remove_older(mine, key);
                    }
                    SideOp::EntryPanics(key) => {
                        let was = all(mine);
                        let found =
                            panics(|| mine.entry(ours(key)).map(|entry| *entry.or_insert_with(|| panic_now())));
                        let orig =
                            panics(|| orig.entry(theirs(key)).map(|entry| *entry.or_insert_with(|| panic_now())));
                        assert_eq!((found, all(mine)), (orig, was));
                        remove_older(mine, key);
                        let panicked =
                            panics(|| mine.entry(ours(key)).map(|entry| entry.and_modify(|_| panic_now()).key()));
                        assert_eq!(panicked, mine.contains_key(ours(key)));
                    }
                    SideOp::Disjoint(a, b) => {
                        let mine = mine.get_disjoint_mut([ours(a), ours(b)]).map(|values| values.map(|value| *value));
                        let orig =
                            orig.get_disjoint_mut([theirs(a), theirs(b)]).map(|values| values.map(|value| *value));
                        assert_eq!(mine, orig);
                    }
                    SideOp::Retain(modulus) => {
                        mine.retain(|_, value| *value % modulus != 0);
                        orig.retain(|_, value| *value % modulus != 0);
                    }
                    SideOp::Clear => {
                        mine.clear();
                        orig.clear();
                    }
                    SideOp::Drain(count) => {
                        let (mut mine, mut orig) = (mine.drain(), orig.drain());
                        for _ in 0..count {
                            assert_eq!(mine.len(), orig.len());
                            assert_eq!(mine.next().is_some(), orig.next().is_some());
                        }
                    }
                    SideOp::ForgetDrain(count) => {
                        let was = all(mine);
                        let mut drain = mine.drain();
                        let mut found = sorted(drain.by_ref().take(usize::from(count)).map(|(key, v)| (ffi(key), v)));
                        std::mem::forget(drain);
                        let mut drain = orig.drain();
                        let _ = drain.by_ref().take(usize::from(count)).count();
                        std::mem::forget(drain);
                        // A hash map loses its values; the other map keeps the rest.
                        if $is_sorted {
                            found.extend(all(mine));
                            assert_eq!(sorted(found.into_iter()), was);
                        }
                    }
                    SideOp::RetainPanics(at) => {
                        // The order of hash maps differs, so nothing is removed there before.
                        let stop = orig.values().copied().nth(at as usize % orig.len().max(1));
                        let keep = |value: u32| {
                            if Some(value) == stop { panic_now() } else { !$is_sorted || value % 3 != 1 }
                        };
                        let found = panics(|| mine.retain(|_, value| keep(*value)));
                        assert_eq!(found, panics(|| orig.retain(|_, value| keep(*value))));
                        assert_eq!(found, stop.is_some());
                    }
                    SideOp::Capacity(count) => {
                        let count = usize::from(count);
                        assert_eq!(mine.$reserve(count), orig.$reserve(count));
                        assert!(mine.capacity() >= count && orig.capacity() >= count);
                        let mine = mine.$reserve(usize::MAX / 2);
                        assert!(mine.is_err());
                        assert_eq!(mine, orig.$reserve(usize::MAX / 2));
                    }
                    SideOp::Clone => (*mine, *orig) = (mine.clone(), orig.clone()),
                    SideOp::CloneFrom(key) => {
                        // Into a map with more slots than the source, and one of its keys.
                        let filled = [(7 << 32 | 90, 1), (key, 2)];
                        let mut other: Mine = filled.iter().map(|&(key, value)| (ours(key), value)).collect();
                        other.clone_from(mine);
                        std::mem::swap(mine, &mut other);
                        assert_eq!(&other, mine);
                        let mut other: Orig = filled.iter().map(|&(key, value)| (theirs(key), value)).collect();
                        other.clone_from(orig);
                        *orig = other;
                    }
                    SideOp::Collect => {
                        *mine = mine.drain().collect();
                        *orig = orig.drain().collect();
                    }
                    SideOp::Extend(a, b) => {
                        mine.extend([(ours(a), &value), (ours(b), &value)]);
                        orig.extend([(theirs(a), &value), (theirs(b), &value)]);
                    }
                    SideOp::Save => save(mine, orig),
                }
            }

            /// slotmap's sparse map drops the value of an older key when it makes an entry, also if
            /// the entry is not used.
            fn remove_older(mine: &mut Mine, key: u64) {
                let is_older = |other: &u64| *other as u32 == key as u32 && *other < ffi(ours(key));
                if let Some(older) = mine.keys().map(ffi).find(is_older).filter(|_| !$is_sorted) {
                    mine.remove(ours(older));
                }
            }

            fn sorted(items: impl Iterator<Item = (u64, u32)>) -> Vec<(u64, u32)> {
                let mut items: Vec<_> = items.collect();
                items.sort_unstable();
                items
            }

            fn all(mine: &Mine) -> Vec<(u64, u32)> {
                sorted(mine.iter().map(|(key, value)| (ffi(key), *value)))
            }

            fn all_orig(orig: &Orig) -> Vec<(u64, u32)> {
                sorted(orig.iter().map(|(key, value)| (key.data().as_ffi(), *value)))
            }

            /// Both sides go on with the map that the other one has saved.
            fn save(mine: &mut Mine, orig: &mut Orig) {
                if orig.keys().any(|key| is_zero(key.data().as_ffi())) {
                    // slotmap does not load what it has saved then.
                    let json = serde_json::to_string(orig).unwrap();
                    assert!(serde_json::from_str::<Orig>(&json).is_err());
                    let loaded: Mine = serde_json::from_str(&json).unwrap();
                    assert_eq!(&loaded, mine);
                    *mine = loaded;
                    return;
                }
                let loaded_orig: Orig = serde_json::from_str(&serde_json::to_string(mine).unwrap()).unwrap();
                assert_eq!(all_orig(&loaded_orig), all(mine));
                let loaded: Orig = postcard::from_bytes(&postcard::to_allocvec(mine).unwrap()).unwrap();
                assert_eq!(all_orig(&loaded), all(mine));
                let loaded: Mine = serde_json::from_str(&serde_json::to_string(orig).unwrap()).unwrap();
                assert_eq!(&loaded, mine);
                let loaded: Mine = postcard::from_bytes(&postcard::to_allocvec(orig).unwrap()).unwrap();
                assert_eq!(&loaded, mine);
                (*mine, *orig) = (loaded, loaded_orig);
            }

            fn compare(mine: &mut Mine, orig: &Orig) {
                assert_eq!((mine.len(), mine.is_empty()), (orig.len(), orig.is_empty()));
                assert_eq!(all(mine), all_orig(orig));
                for (key, value) in orig {
                    let bits = key.data().as_ffi();
                    assert_eq!((mine.get(ours(bits)), mine.contains_key(ours(bits))), (Some(value), true));
                    assert_eq!(mine.get_mut(ours(bits)).map(|value| *value), Some(*value));
                    assert!(!mine.contains_key(ours(bits + (2 << 32))));
                }
                if $is_sorted {
                    assert!(mine.values().eq(orig.values()));
                    assert!(mine.keys().map(ffi).eq(orig.keys().map(|key| key.data().as_ffi())));
                }
                let values = mine.values().copied().collect::<Vec<_>>();
                assert!(mine.values_mut().map(|value| *value).eq(values.iter().copied()));
                assert_eq!(sorted(mine.iter_mut().map(|(key, value)| (ffi(key), *value))), all_orig(orig));
                assert_eq!(sorted(mine.clone().into_iter().map(|(key, value)| (ffi(key), value))), all_orig(orig));
            }

            proptest! {
                #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..Default::default() })]
                #[test]
                fn random_calls(ops in vec(side_op(!$is_sorted, false), 1..150)) {
                    run(ops);
                }
            }

            // Fewer: slotmap has, and saves, 20,000 slots.
            proptest! {
                #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..Default::default() })]
                #[test]
                fn far_keys(ops in vec(side_op(!$is_sorted, true), 1..60)) {
                    run(ops);
                }
            }

            fn run(ops: Vec<SideOp>) {
                let (mut mine, mut orig) = (Mine::default(), Orig::default());
                for (value, op) in (0..).zip(ops) {
                    step(&mut mine, &mut orig, op, value);
                    compare(&mut mine, &orig);
                }
            }
        }
    };
}

side_beside_slotmap!(secondary_map, SecondaryMap, secondary, true, try_set_capacity);
side_beside_slotmap!(sparse_secondary_map, SparseSecondaryMap, sparse_secondary, false, try_reserve);

/// slotmap issues no key with the index 0. Some methods of its secondary map accept one, and others
/// skip its value. Here it is a key as any other, and comes last.
#[test]
fn index_zero() {
    let (zero, one) = (3 << 32, 1 << 32 | 1);
    let mut mine: tenure_slotmap::SecondaryMap<Ours, u32> = [(ours(zero), 1), (ours(one), 2)].into_iter().collect();
    let mut orig: original::SecondaryMap<Theirs, u32> = [(theirs(zero), 1), (theirs(one), 2)].into_iter().collect();
    assert!(mine.keys().map(ffi).eq([one, zero]));
    assert!(orig.keys().map(|key| key.data().as_ffi()).eq([zero, one]));
    assert!(ours(zero) > ours(one) && theirs(zero) < theirs(one));
    assert_eq!(mine.get(ours(zero)), orig.get(theirs(zero)));
    assert_eq!(mine.insert(ours(zero), 5), orig.insert(theirs(zero), 5));
    let json = serde_json::to_string(&orig).unwrap();
    assert_eq!(serde_json::from_str::<tenure_slotmap::SecondaryMap<Ours, u32>>(&json).unwrap(), mine);
    assert!(serde_json::from_str::<original::SecondaryMap<Theirs, u32>>(&json).is_err());
    mine.clear();
    orig.clear();
    assert_eq!((mine.len(), orig.len()), (0, 1), "slotmap has been mended");
    assert_eq!(orig.remove(theirs(zero)), Some(5));
}

#[test]
fn numbers_of_keys() {
    for bits in [
        0,
        1,
        1 << 32,
        1 << 32 | 1,
        3 << 32 | 7,
        4 << 32 | 7,
        u64::MAX - 5,
        1 << 32 | 0xffff_ffff,
        7 << 32 | 0xffff_fffe,
    ] {
        assert_eq!(ffi(ours(bits)), theirs(bits).data().as_ffi(), "{bits:x}");
        assert_eq!(ours(bits).is_null(), theirs(bits).is_null());
        assert_eq!(format!("{:?}", ours(bits)), format!("{:?}", theirs(bits)));
        let json = serde_json::to_string(&theirs(bits)).unwrap();
        assert_eq!(serde_json::to_string(&ours(bits)).unwrap(), json);
        assert_eq!(serde_json::from_str::<Ours>(&json).unwrap(), ours(bits));
        let bytes = postcard::to_allocvec(&theirs(bits)).unwrap();
        assert_eq!(postcard::to_allocvec(&ours(bits)).unwrap(), bytes);
        assert_eq!(postcard::from_bytes::<Ours>(&bytes).unwrap(), ours(bits));
    }
    assert_eq!(size_of::<Option<Ours>>(), 8);
}
