//! Documents that no container was saved as: each is rejected, or loads as a container that behaves
//! like any other.

use serde::Serialize;
use serde::de::DeserializeOwned;
use tenure::{DensePool, FixedPool, Handle, Layout, Pool, Row, SideMap, StablePool, Table, Tagged, Wide, World};

use crate::pool::{FourTenants, ThreeSlots};
use crate::saved;

/// A loaded container.
trait Loaded: Serialize + DeserializeOwned {
    /// Uses the container, and checks all its invariants after each step.
    fn use_up(self);
}

macro_rules! loaded {
    ([$($params:tt)*] $Type:ty, $values:expr) => {
        impl<$($params)*> Loaded for $Type {
            fn use_up(mut self) {
                self.validate().expect("a loaded container is valid");
                let values = $values;
                let before: Vec<_> = self.iter().map(|(handle, _)| handle).collect();
                let fresh: Vec<_> = (0..3).filter_map(|number| self.try_insert(values(number)).ok()).collect();
                assert!(fresh.iter().all(|handle| !before.contains(handle)), "a handle was issued twice");
                self.validate().expect("valid after insertions");
                for handle in before {
                    assert!(self.remove(handle).is_some(), "{handle} did not resolve");
                }
                self.shrink();
                self.validate().expect("valid after removals");
                self.clear();
                self.validate().expect("valid when it is empty");
            }
        }
    };
}

/// Releases memory, in containers that can.
trait Shrink {
    fn shrink(&mut self) {}
}

impl<L: Layout> Shrink for Pool<u8, Handle<u8, L>> {
    fn shrink(&mut self) {
        self.shrink_to_fit();
    }
}

impl<L: Layout> Shrink for StablePool<u8, Handle<u8, L>> {
    fn shrink(&mut self) {
        self.shrink_to_fit();
    }
}

impl<L: Layout> Shrink for FixedPool<u8, 6, Handle<u8, L>> {}
impl Shrink for DensePool<u8> {}
impl Shrink for Pool<()> {}
impl Shrink for Table<Pair> {}

/// A row of two columns.
#[derive(Row, serde::Deserialize)]
#[row(derive(Serialize))]
struct Pair {
    one: u8,
    other: u8,
}

loaded! { [L: Layout] Pool<u8, Handle<u8, L>>, |number| number }
loaded! { [L: Layout] StablePool<u8, Handle<u8, L>>, |number| number }
loaded! { [L: Layout] FixedPool<u8, 6, Handle<u8, L>>, |number| number }
loaded! { [] DensePool<u8>, |number| number }
loaded! { [] Pool<()>, |_| () }
loaded! { [] Table<Pair>, |one| Pair { one, other: 0 } }

impl Loaded for SideMap<Handle<u8>, u8> {
    fn use_up(mut self) {
        self.validate().expect("a loaded container is valid");
        let owner: Pool<u8> = (0..3).collect();
        for handle in owner.handles() {
            self.insert(&owner, handle, 1).expect("the handle is live");
        }
        self.validate().expect("valid after insertions");
        self.retain_live(&owner);
        assert!(self.handles().eq(owner.handles()), "the map has other handles than the live ones");
        self.clear();
        self.validate().expect("valid when it is empty");
    }
}

impl<L: Layout> Loaded for World<u8, Handle<u8, L>> {
    fn use_up(mut self) {
        self.validate().expect("a loaded container is valid");
        let before: Vec<_> = self.iter_all().map(|(handle, _)| handle).collect();
        let fresh: Vec<_> = (0..3).filter_map(|number| self.try_spawn(number).ok()).collect();
        assert!(fresh.iter().all(|handle| !before.contains(handle)), "a handle was issued twice");
        self.validate().expect("valid after spawns");
        for &handle in before.iter().step_by(2) {
            self.despawn(handle);
        }
        // The layout may have no room for the staged entities; then there is an error.
        if crate::quiet::catch(|| self.end_frame()).is_ok() {
            assert!(
                before.iter().step_by(2).all(|&handle| !self.contains(handle)),
                "a despawned entity is still there"
            );
        }
        self.validate().expect("valid after a frame");
        self.clear_all();
        self.validate().expect("valid when it is empty");
    }
}

/// A document in some format.
trait Document {
    fn load<C: Loaded>(&self) -> Option<C>;

    /// If the document can be loaded, saving the container gives a fixed point, and the container
    /// can be used.
    fn judge<C: Loaded>(&self) {
        let Some(loaded) = self.load::<C>() else { return };
        let text = saved::to_json(&loaded).expect("a loaded container can be saved");
        let again: C = saved::from_json(&text).expect("a saved container can be loaded");
        assert_eq!(saved::to_json(&again), Ok(text), "the reloaded container differs");
        loaded.use_up();
        again.use_up();
    }

    fn judge_as_pool(&self) {
        self.judge::<Pool<u8>>();
        self.judge::<Pool<u8, Handle<u8, FourTenants>>>();
        self.judge::<Pool<u8, Handle<u8, Tagged<2, Wide>>>>();
        self.judge::<Pool<()>>();
        self.judge::<StablePool<u8, Handle<u8, FourTenants>>>();
        self.judge::<FixedPool<u8, 6, Handle<u8, ThreeSlots>>>();
        self.judge::<SideMap<Handle<u8>, u8>>();
    }

    fn judge_as_table(&self) {
        self.judge::<DensePool<u8>>();
        self.judge::<Table<Pair>>();
    }

    fn judge_as_world(&self) {
        self.judge::<World<u8>>();
        self.judge::<World<u8, Handle<u8, FourTenants>>>();
    }

    /// Loads the document as the container that it looks like.
    fn judge_as(&self, look: &Look) {
        match look {
            Look::Pool => self.judge_as_pool(),
            Look::Table => self.judge_as_table(),
            Look::World(_) => self.judge_as_world(),
        }
    }

    fn judge_as_all(&self) {
        self.judge_as_pool();
        self.judge_as_table();
        self.judge_as_world();
    }
}

struct Json<'a>(&'a str);

impl Document for Json<'_> {
    fn load<C: Loaded>(&self) -> Option<C> {
        serde_json::from_str(self.0).ok()
    }
}

struct Postcard<'a>(&'a [u8]);

impl Document for Postcard<'_> {
    fn load<C: Loaded>(&self) -> Option<C> {
        postcard::from_bytes(self.0).ok()
    }
}

/// For a fuzz target: the bytes are a JSON document, or the choices from which one is generated.
///
/// # Panics
///
/// If a loaded container is faulty.
pub fn fuzz_json(bytes: &[u8]) {
    match bytes.split_first() {
        Some((b'{', _)) => Json(&String::from_utf8_lossy(bytes)).judge_as_all(),
        Some((_, code)) => {
            let draft = Draft::from(code);
            Json(&draft.as_json()).judge_as(&draft.look);
        }
        None => {}
    }
}

/// Like [`fuzz_json`], for postcard. A document begins with its version.
///
/// # Panics
///
/// If a loaded container is faulty.
pub fn fuzz_postcard(bytes: &[u8]) {
    match bytes.split_first() {
        Some((1, _)) => Postcard(bytes).judge_as_all(),
        Some((_, code)) => {
            let draft = Draft::from(code);
            Postcard(&draft.as_postcard()).judge_as(&draft.look);
        }
        None => {}
    }
}

/// A generated document, valid or nearly valid.
#[derive(Debug)]
struct Draft {
    version: u32,
    tag: u32,
    floor: u32,
    reach: u32,
    limit: Option<u32>,
    next: Option<u32>,
    word: Option<u32>,
    slots: Vec<Slot>,
    look: Look,
}

/// The container that a generated document is meant for.
#[derive(Debug)]
enum Look {
    Pool,
    /// Slots carry their index in binary formats, too, and many rows have two fields.
    Table,
    World(Box<Frame>),
}

#[derive(Debug)]
struct Slot {
    index: u32,
    generation: u32,
    kind: u8,
    value: u8,
}

#[derive(Debug)]
struct Frame {
    ids: Vec<u64>,
    lists: [Vec<u32>; 7],
    numbers: [u64; 4],
}

/// Small numbers, and occasionally a large one.
fn number(code: &mut &[u8]) -> u32 {
    match byte(code) {
        byte @ 0..240 => u32::from(byte % 12),
        240..248 => 1 << (byte(code) % 32),
        _ => u32::MAX - u32::from(byte(code)),
    }
}

fn byte(code: &mut &[u8]) -> u8 {
    match code.split_first() {
        Some((&first, rest)) => {
            *code = rest;
            first
        }
        None => 0,
    }
}

fn maybe(code: &mut &[u8]) -> Option<u32> {
    (byte(code) % 2 == 1).then(|| number(code))
}

fn list<T>(code: &mut &[u8], mut item: impl FnMut(u32, &mut &[u8]) -> T) -> Vec<T> {
    let length = u32::from(byte(code) % 10);
    (0..length).map(|place| item(place, code)).collect()
}

impl Draft {
    fn from(mut code: &[u8]) -> Self {
        let code = &mut code;
        let kind = byte(code);
        let usual = byte(code);
        // Most documents differ from a valid one in few places.
        let unusual = |bit: u8, code: &mut &[u8]| if usual >> bit & 1 == 1 { number(code) } else { 0 };
        let [version, tag, floor, reach] = [0, 1, 2, 3].map(|bit| unusual(bit, code));
        let slots = list(code, |place, code| Slot {
            index: if usual >> 4 & 1 == 1 { number(code) } else { place },
            generation: number(code),
            kind: byte(code) % 4,
            value: byte(code),
        });
        let limit = if usual >> 5 & 1 == 1 { maybe(code) } else { None };
        let (next, word) = (maybe(code), maybe(code));
        let look = match kind % 3 {
            0 => Look::Pool,
            1 => Look::Table,
            _ => Look::World(Box::new(Frame::from(code))),
        };
        Self { version: version.max(1), tag, floor, reach, limit, next, word, slots, look }
    }

    fn as_json(&self) -> String {
        let Self { version, tag, floor, reach, .. } = self;
        let option =
            |name: &str, value: Option<u32>| value.map_or_else(String::new, |value| format!("\"{name}\":{value},"));
        let rest = [("limit", self.limit), ("next", self.next), ("word", self.word)]
            .map(|(name, value)| option(name, value))
            .concat();
        let is_table = matches!(self.look, Look::Table);
        let slots: Vec<_> = self.slots.iter().map(|slot| slot.as_json(self.tag, is_table)).collect();
        let pool = format!(
            "{{\"version\":{version},\"tag\":{tag},\"floor\":{floor},\"reach\":{reach},{rest}\"slots\":[{}]}}",
            slots.join(",")
        );
        match &self.look {
            Look::World(frame) => format!("{{\"version\":1,\"entities\":{pool},{}}}", frame.as_json(&self.slots)),
            _ => pool,
        }
    }

    fn as_postcard(&self) -> Vec<u8> {
        let Self { version, tag, floor, reach, limit, next, word, .. } = *self;
        let is_table = matches!(self.look, Look::Table);
        let mut bytes = if matches!(self.look, Look::World(_)) { vec![1] } else { Vec::new() };
        bytes.extend(encode(&(version, tag, floor, reach, limit, next, word)));
        bytes.extend(encode(&self.slots.len()));
        for slot in &self.slots {
            bytes.extend(slot.as_postcard(is_table));
        }
        if let Look::World(frame) = &self.look {
            bytes.extend(frame.as_postcard(&self.slots));
        }
        bytes
    }
}

fn encode(value: &impl Serialize) -> Vec<u8> {
    postcard::to_allocvec(value).expect("plain numbers")
}

impl Slot {
    fn as_json(&self, tag: u32, is_table: bool) -> String {
        let Self { index, generation, kind, value } = self;
        let tag = if tag == 0 { String::new() } else { format!("#{tag}") };
        let value =
            if is_table && value % 2 == 0 { format!("{{\"one\":{value},\"other\":0}}") } else { value.to_string() };
        match kind {
            0 => format!("\"{index}v{generation}{tag}\""),
            2 => format!("\"{index}v{generation}{tag} pending\""),
            _ => format!("{{\"{index}v{generation}{tag}\":{value}}}"),
        }
    }

    fn as_postcard(&self, is_table: bool) -> Vec<u8> {
        let kind = u64::from(self.kind % 3);
        let mut bytes = if is_table { encode(&self.index) } else { Vec::new() };
        bytes.extend(encode(&(u64::from(self.generation) << 2 | kind)));
        if kind == 1 {
            bytes.push(self.value);
            if is_table && self.value % 2 == 0 {
                bytes.push(0);
            }
        }
        bytes
    }

    /// The handle of its tenant, as bits.
    fn bits(&self) -> u64 {
        u64::from(self.index) << 32 | u64::from(self.generation.wrapping_mul(2).wrapping_sub(1))
    }
}

const LISTS: [&str; 7] = ["permanent", "pending", "nursery", "departed", "dying", "born", "dead"];

impl Frame {
    fn from(code: &mut &[u8]) -> Self {
        Self {
            ids: list(code, |place, code| u64::from(place) + u64::from(number(code) / 8) + 1),
            lists: LISTS.map(|_| if byte(code) % 3 == 0 { list(code, |_, code| number(code)) } else { Vec::new() }),
            numbers: [
                u64::from(number(code)),
                u64::from(number(code)),
                u64::from(number(code)),
                u64::from(number(code)),
            ],
        }
    }

    fn is_of_slots(list: &str) -> bool {
        matches!(list, "nursery" | "departed")
    }

    fn as_json(&self, slots: &[Slot]) -> String {
        let [last_id, born_with_handle, tickets, first_ticket] = self.numbers;
        let lists = LISTS.iter().zip(&self.lists).map(|(name, picks)| {
            let item = |&pick: &u32| match slots.get(pick as usize) {
                Some(slot) if !Self::is_of_slots(name) => format!("\"{}v{}\"", slot.index, slot.generation),
                _ => pick.to_string(),
            };
            let items: Vec<_> = picks.iter().map(item).collect();
            format!("\"{name}\":[{}],", items.join(","))
        });
        format!(
            "\"ids\":{:?},\"last_id\":{last_id},{}\"born_with_handle\":{born_with_handle},\"tickets\":{tickets},\"first_ticket\":{first_ticket}",
            self.ids,
            lists.collect::<String>()
        )
    }

    fn as_postcard(&self, slots: &[Slot]) -> Vec<u8> {
        let [last_id, born_with_handle, tickets, first_ticket] = self.numbers;
        let mut bytes = encode(&(Some(&self.ids), last_id));
        for (name, picks) in LISTS.iter().zip(&self.lists) {
            if Self::is_of_slots(name) {
                bytes.extend(encode(picks));
            } else {
                let bits = |&pick: &u32| slots.get(pick as usize).map_or(u64::from(pick), Slot::bits);
                bytes.extend(encode(&picks.iter().map(bits).collect::<Vec<_>>()));
            }
            match *name {
                // Nothing is staged.
                "dying" => bytes.push(0),
                "born" => bytes.extend(encode(&born_with_handle)),
                _ => {}
            }
        }
        bytes.extend(encode(&(tickets, first_ticket)));
        bytes.extend(encode(&(1_u64, 0_usize, 0_usize, 0_usize, 0_usize)));
        bytes
    }
}
