//! The calls that taffy, `bevy_ecs`, gpui, `reactive_graph` and blitz-dom make of slotmap, as they
//! write them, with slotmap's name for the crate.

use slotmap::{DefaultKey, Key, KeyData, SecondaryMap, SlotMap, SparseSecondaryMap, new_key_type};
use tenure_slotmap as slotmap;

new_key_type! {
    /// A key with attributes.
    #[non_exhaustive]
    pub struct NodeKey;
    pub(crate) struct SystemKey;
    struct Private;
}

impl NodeKey {
    const FIRST: KeyData = KeyData::from_ffi(1 << 32 | 1);

    fn bits(self) -> u64 {
        self.0.as_ffi()
    }
}

/// taffy's ids of nodes are numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct NodeId(u64);

impl From<DefaultKey> for NodeId {
    fn from(key: DefaultKey) -> Self {
        Self(key.data().as_ffi())
    }
}

impl From<NodeId> for DefaultKey {
    fn from(id: NodeId) -> Self {
        KeyData::from_ffi(id.0).into()
    }
}

#[test]
fn a_tree_with_ids_as_numbers() {
    let mut nodes: SlotMap<DefaultKey, &str> = SlotMap::with_capacity(16);
    let mut children: SlotMap<DefaultKey, Vec<NodeId>> = SlotMap::with_capacity(16);
    let mut contexts: SparseSecondaryMap<DefaultKey, u8> = SparseSecondaryMap::with_capacity(16);
    let id: NodeId = nodes.insert("root").into();
    let _ = children.insert(vec![id]);
    assert_eq!(nodes[id.into()], "root");
    *nodes.get_mut(id.into()).unwrap() = "changed";
    nodes[id.into()] = "again";
    children[id.into()].retain(|child| *child != id);
    contexts.insert(id.into(), 1);
    assert_eq!(contexts.get(id.into()), Some(&1));
    assert_eq!(contexts.remove(id.into()), Some(1));
    assert_eq!(nodes.remove(id.into()), Some("again"));
    assert_eq!(nodes.len(), 0);
    nodes.clear();
}

#[test]
fn schedules_and_signals() {
    let mut map: SlotMap<NodeKey, String> = SlotMap::with_key();
    let first = map.insert_with_key(|key| format!("{key:?}"));
    assert_eq!(map[first], "NodeKey(1v1)");
    assert_eq!((NodeKey::from(NodeKey::FIRST), first.bits()), (first, 1 << 32 | 1));
    let second = map.try_insert_with_key(|_| Ok::<_, ()>(String::from("second"))).unwrap();
    assert!(map.try_insert_with_key(|_| Err(())).is_err());
    if let Some([a, b]) = map.get_disjoint_mut([first, second]) {
        std::mem::swap(a, b);
    }
    for (_, value) in &mut map {
        value.push('!');
    }
    for value in map.values_mut() {
        value.push('?');
    }
    assert!(map.contains_key(first) && map.get(second).is_some());
    assert!(map.iter().map(|(key, _)| key).eq(map.keys()));
    map.retain(|key, _| key == second);
    assert_eq!(map.drain().collect::<Vec<_>>(), [(second, "NodeKey(1v1)!?".into())]);

    let mut systems: SlotMap<SystemKey, fn() -> u8> = SlotMap::with_capacity_and_key(4);
    let mut conditions: SecondaryMap<SystemKey, Vec<bool>> = SecondaryMap::new();
    let key = systems.insert(|| 7);
    conditions.insert(key, Vec::new());
    conditions.entry(key).unwrap().or_default().push(true);
    assert_eq!(((systems[key])(), conditions[key].len()), (7, 1));
    assert_eq!(Private::default(), Private::null());
    assert!(SystemKey::null().is_null() && !key.is_null());
}

/// The macro in a module where words of its code have another meaning.
mod shadowed {
    #![allow(dead_code, non_upper_case_globals, reason = "the names are only there to be found by mistake")]
    mod core {}
    mod std {}
    mod serde {}
    mod slotmap {}
    type Option<T> = (T, T);
    const Ok: u8 = 0;
    fn handle() {}
    enum From {}
    trait Hash {}
    struct Result;

    tenure_slotmap::new_key_type! {
        #[doc = "Its name is that of a trait."]
        pub(crate) struct Key;
        pub(super) struct KeyData;
    }
}

#[test]
fn shadowed_names() {
    let mut map = SlotMap::<shadowed::Key, shadowed::KeyData>::with_key();
    let key = map.insert(shadowed::KeyData::null());
    assert!(map[key].is_null());
    let saved = serde_json::to_value(key).unwrap();
    assert_eq!(serde_json::from_value::<shadowed::Key>(saved).unwrap(), key);
}

/// A key type that is written by hand, with a field of its own, as programs do that need more than
/// `new_key_type!` gives. They use the hidden names of the macro.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct TextureKey {
    data: KeyData,
}

impl slotmap::__impl::From<KeyData> for TextureKey {
    fn from(data: KeyData) -> Self {
        Self { data }
    }
}

#[expect(unsafe_code, reason = "the trait is unsafe to implement")]
// SAFETY: the type behaves as its only field.
unsafe impl Key for TextureKey {
    fn data(&self) -> KeyData {
        self.data
    }
}

slotmap::__serialize_key!(TextureKey);

#[test]
fn a_key_type_by_hand() {
    fn is_saved<'de, T: slotmap::__impl::Serialize + slotmap::__impl::Deserialize<'de>>() {}
    is_saved::<TextureKey>();
    let mut map: SlotMap<TextureKey, &str> = SlotMap::with_key();
    let key = map.insert("stone");
    let json = serde_json::to_string(&key).unwrap();
    assert_eq!(json, serde_json::to_string(&key.data()).unwrap());
    let read: slotmap::__impl::Result<TextureKey, _> = serde_json::from_str(&json);
    assert_eq!(map[read.unwrap()], "stone");
}

/// Statements whose value is not used, which compile without a warning with slotmap.
#[test]
#[deny(unused_must_use)]
fn iterators_and_entries_as_statements() {
    let mut map = SlotMap::new();
    let key = map.insert(1_u32);
    map.get(key);
    map.get_mut(key);
    map.contains_key(key);
    map.len();
    map.keys();
    map.get_disjoint_mut([key]);
    key.is_null();
    key.data().as_ffi();
    let mut more: SecondaryMap<DefaultKey, u32> = SecondaryMap::new();
    more.insert(key, 1);
    if let Some(entry) = more.entry(key) {
        entry.key();
        entry.and_modify(|value| *value += 1);
    }
    if let Some(slotmap::secondary::Entry::Occupied(entry)) = more.entry(key) {
        entry.get();
        entry.remove_entry();
    }
    let mut few: SparseSecondaryMap<DefaultKey, u32> = SparseSecondaryMap::new();
    few.insert(key, 1);
    if let Some(entry) = few.entry(key) {
        entry.and_modify(|value| *value += 1);
    }
    assert_eq!((more.len(), few[key]), (0, 2));
    few.contains_key(key);
}

/// A generic function over any key, as clients write it.
fn total<K: Key, V: Copy + Into<u64>>(map: &SlotMap<K, V>) -> u64 {
    map.values().map(|value| (*value).into()).sum()
}

#[test]
fn generic_over_keys() {
    let mut map = SlotMap::<Private, u32>::with_key();
    map.insert(1);
    map.insert(2);
    assert_eq!(total(&map), 3);
    static EMPTY: SlotMap<DefaultKey, u8> = SlotMap::new();
    assert!(EMPTY.is_empty());
}

/// A longer-lived map can stand where a shorter-lived one is wanted.
fn shorten<'a>(map: SlotMap<DefaultKey, &'static str>) -> SlotMap<DefaultKey, &'a str> {
    map
}

#[test]
fn covariant() {
    assert!(shorten(SlotMap::new()).is_empty());
}
