//! Merging, copying and loading: every handle is relinked to the right value, or cleared and
//! reported. Checked by names that the values carry.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};

use tenure::relink::{
    AnyHandle, Audit, Dangling, Holder, Relink, Relinked, Relinker, Transfer, TransferError, Visitor, references,
};
use tenure::{
    Compact, DensePool, FixedPool, Handle, HandleError, Key as _, Pool, SideMap, StablePool, Status, Tagged, Wide,
    World, key_type,
};
use test_support::alloc::{self, Watched};
use test_support::{Tracked, fuse, ledger, quiet};

#[global_allocator]
static ALLOCATOR: Watched = Watched;

// ---- a value with handles everywhere, and the facts about it by name ----

type Link = Handle<Node>;

#[derive(Clone, Debug, Default, PartialEq, Relink)]
struct Node {
    name: u32,
    next: Link,
    best: Option<Link>,
    friends: Vec<Link>,
    pair: (Link, [Option<Link>; 2]),
    goal: Goal,
    #[expect(clippy::box_collection, reason = "two at once")]
    boxed: Box<VecDeque<Link>>,
    grudges: BTreeMap<Link, (u32, Link)>,
    team: BTreeSet<Link>,
    #[relink(with = tenure::relink::map)]
    debts: HashMap<(Link, u8), Option<Link>>,
    #[relink(with = tenure::relink::set)]
    seen: HashSet<Link>,
}

#[derive(Clone, Debug, Default, PartialEq, Relink)]
enum Goal {
    #[default]
    Sleep,
    Attack {
        target: Link,
        with: Vec<Option<Link>>,
    },
    Follow(Link),
}

/// Everything in a node, with names instead of handles; `None` where a handle does not resolve, and
/// no entry under a key that does not.
#[derive(Clone, Debug, PartialEq)]
struct Facts {
    places: Vec<Option<u32>>,
    grudges: BTreeMap<u32, (u32, Option<u32>)>,
    team: BTreeSet<u32>,
    debts: BTreeMap<(u32, u8), Option<u32>>,
    seen: BTreeSet<u32>,
}

impl Facts {
    fn of(node: &Node, name: impl Fn(Link) -> Option<u32>) -> Self {
        let mut places = vec![node.next, node.pair.0];
        places.extend(node.friends.iter().chain(&*node.boxed));
        places.extend([node.best, node.pair.1[0], node.pair.1[1]].map(Option::unwrap_or_default));
        match &node.goal {
            Goal::Sleep => {}
            Goal::Attack { target, with } => {
                places.push(*target);
                places.extend(with.iter().map(|it| it.unwrap_or_default()));
            }
            Goal::Follow(leader) => places.push(*leader),
        }
        Self {
            places: places.into_iter().map(&name).collect(),
            grudges: node.grudges.iter().filter_map(|(k, (n, v))| Some((name(*k)?, (*n, name(*v))))).collect(),
            team: node.team.iter().filter_map(|it| name(*it)).collect(),
            debts: node.debts.iter().filter_map(|((k, n), v)| Some(((name(*k)?, *n), v.and_then(&name)))).collect(),
            seen: node.seen.iter().filter_map(|it| name(*it)).collect(),
        }
    }

    /// The same with other names.
    fn renamed(&self, rename: impl Fn(u32) -> u32) -> Self {
        Self {
            places: self.places.iter().map(|it| it.map(&rename)).collect(),
            grudges: self.grudges.iter().map(|(k, (n, v))| (rename(*k), (*n, v.map(&rename)))).collect(),
            team: self.team.iter().map(|it| rename(*it)).collect(),
            debts: self.debts.iter().map(|((k, n), v)| ((rename(*k), *n), v.map(&rename))).collect(),
            seen: self.seen.iter().map(|it| rename(*it)).collect(),
        }
    }
}

/// A deterministic generator of numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn pick(&mut self, from: &[Link]) -> Link {
        if self.below(8) == 0 { Handle::NIL } else { from[self.below(from.len())] }
    }

    fn some(&mut self, from: &[Link]) -> Vec<Link> {
        (0..self.below(5)).map(|_| self.pick(from)).collect()
    }

    fn node(&mut self, name: u32, from: &[Link]) -> Node {
        let optional = |link: Link| Some(link).filter(|link| !link.is_nil());
        let goal = match self.below(3) {
            0 => Goal::Sleep,
            1 => Goal::Attack { target: self.pick(from), with: self.some(from).into_iter().map(optional).collect() },
            _ => Goal::Follow(self.pick(from)),
        };
        Node {
            name,
            goal,
            next: self.pick(from),
            best: optional(self.pick(from)),
            friends: self.some(from),
            pair: (self.pick(from), [optional(self.pick(from)), None]),
            boxed: Box::new(self.some(from).into()),
            grudges: self.some(from).into_iter().map(|key| (key, (7, self.pick(from)))).collect(),
            team: self.some(from).into_iter().collect(),
            debts: self.some(from).into_iter().map(|key| ((key, 3), optional(self.pick(from)))).collect(),
            seen: self.some(from).into_iter().collect(),
        }
    }
}

/// The methods of a container that the tests use.
trait Home: Holder<Value = Node, Kind = Node, Layout = Wide> + Default {
    fn add(&mut self) -> Link;
    fn kill(&mut self, link: Link);
    fn node(&self, link: Link) -> Option<&Node>;
    fn node_mut(&mut self, link: Link) -> &mut Node;
    fn links(&self) -> Vec<Link>;
    fn end_frame(&mut self) {}
    fn take_in(&mut self, other: &mut Self) -> Result<Relinked, TransferError>;
    fn copy(&mut self, group: &[Link]) -> Result<Relinked, TransferError>;
    fn list_dangling(&self) -> Vec<Dangling>;
    fn clear(&mut self) -> Vec<Dangling>;
    fn check(&mut self);
}

macro_rules! home {
    ($Type:ident, $insert:ident, $remove:ident, $links:ident, $($end:tt)*) => {
        impl Home for $Type<Node> {
            fn add(&mut self) -> Link {
                self.$insert(Node::default())
            }
            fn kill(&mut self, link: Link) {
                self.$remove(link);
            }
            fn node(&self, link: Link) -> Option<&Node> {
                self.get(link)
            }
            fn node_mut(&mut self, link: Link) -> &mut Node {
                &mut self[link]
            }
            fn links(&self) -> Vec<Link> {
                self.$links().map(|(link, _)| link).collect()
            }
            fn take_in(&mut self, other: &mut Self) -> Result<Relinked, TransferError> {
                self.merge(other)
            }
            fn copy(&mut self, group: &[Link]) -> Result<Relinked, TransferError> {
                self.copy_group(group)
            }
            fn list_dangling(&self) -> Vec<Dangling> {
                self.audit()
            }
            fn clear(&mut self) -> Vec<Dangling> {
                self.clear_dangling()
            }
            fn check(&mut self) {
                self.validate().unwrap();
            }
            $($end)*
        }
    };
}

home!(Pool, insert, remove, iter,);
home!(StablePool, insert, remove, iter,);
home!(DensePool, insert, remove, iter,);
home!(
    World,
    spawn,
    despawn,
    iter_all,
    fn end_frame(&mut self) {
        World::end_frame(self);
    }
);

/// A container of nodes that refer to each other, and some of them to removed nodes.
fn random<H: Home>(dice: &mut Dice, first_name: u32) -> H {
    let mut home = H::default();
    let mut ever: Vec<Link> = (0..1 + dice.below(20)).map(|_| home.add()).collect();
    home.end_frame();
    for _ in 0..2 {
        let (kills, adds) = (dice.below(6), dice.below(6));
        (0..kills).for_each(|_| home.kill(ever[dice.below(ever.len())]));
        home.end_frame();
        ever.extend((0..adds).map(|_| home.add()));
    }
    for (name, link) in (first_name..).zip(home.links()) {
        *home.node_mut(link) = dice.node(name, &ever);
    }
    home
}

fn name_of<H: Home>(home: &H, link: Link) -> Option<u32> {
    home.node(link).map(|node| node.name)
}

fn facts<H: Home>(home: &H) -> BTreeMap<u32, Facts> {
    let known = home.links().into_iter().filter_map(|link| home.node(link));
    known.map(|node| (node.name, Facts::of(node, |link| name_of(home, link)))).collect()
}

fn in_all_homes(test: [fn(&mut Dice); 4]) {
    for seed in 0..150 {
        test.iter().for_each(|test| test(&mut Dice(seed)));
    }
}

// ---- random graphs ----

fn merge_one<H: Home>(dice: &mut Dice) {
    let (mut into, mut from): (H, H) = (random(dice, 1_000), random(dice, 2_000));
    let mut expected = facts(&into);
    expected.extend(facts(&from));
    let (dangling_here, dangling_there) = (into.list_dangling(), from.list_dangling());
    let old: Vec<(Link, u32)> = from.links().into_iter().filter_map(|it| Some((it, name_of(&from, it)?))).collect();

    let merged = into.take_in(&mut from).unwrap();
    assert_eq!(facts(&into), expected);
    // Sorted: the order within maps and sets is not fixed.
    let summary = |list: &[Dangling]| {
        let mut lines: Vec<_> = list.iter().map(|it| format!("{} is {}", it.path, it.handle)).collect();
        lines.sort();
        lines
    };
    assert_eq!(summary(&into.list_dangling()), summary(&dangling_here), "merged values have no dangling reference");
    assert_eq!(summary(merged.cleared()), summary(&dangling_there));
    for cleared in merged.cleared() {
        let (holder, new_holder) = (cleared.holder.unwrap(), cleared.new_holder.unwrap());
        assert_eq!(merged.new_handle(holder.downcast::<Node, Wide>().unwrap()), new_holder.downcast());
        assert!(into.node(new_holder.downcast().unwrap()).is_some());
    }
    assert_eq!(merged.pairs::<Link>().len(), old.len());
    for (link, name) in old {
        assert_eq!(name_of(&into, merged.new_handle(link).unwrap()), Some(name));
        assert!(from.node(link).is_none());
    }
    assert!(from.links().is_empty());
    into.check();
    from.check();
}

#[test]
fn after_a_merge_every_reference_resolves_to_its_own_value() {
    in_all_homes([
        merge_one::<Pool<Node>>,
        merge_one::<StablePool<Node>>,
        merge_one::<DensePool<Node>>,
        merge_one::<World<Node>>,
    ]);
}

fn copy_one<H: Home>(dice: &mut Dice) {
    let mut home: H = random(dice, 1_000);
    let before = facts(&home);
    let dangling = home.list_dangling().len();
    let links = home.links();
    let mut group: Vec<Link> = links.iter().copied().filter(|_| dice.below(2) == 0).collect();
    group.extend(group.first().copied()); // a duplicate is copied once
    let names: BTreeSet<u32> = group.iter().filter_map(|it| name_of(&home, *it)).collect();

    let copies = home.copy(&group).unwrap();
    assert_eq!(copies.pairs::<Link>().len(), names.len());
    for (original, copy) in copies.pairs::<Link>() {
        assert_eq!(name_of(&home, original), name_of(&home, copy));
        home.node_mut(copy).name += 100_000;
    }
    let rename = |name| if names.contains(&name) { name + 100_000 } else { name };
    let mut expected = before.clone();
    expected.extend(
        before.iter().filter(|(name, _)| names.contains(name)).map(|(n, it)| (rename(*n), it.renamed(rename))),
    );
    assert_eq!(facts(&home), expected);
    assert_eq!(home.list_dangling().len(), dangling, "a copy has no dangling reference");
    home.check();
}

#[test]
fn after_a_copy_inner_references_resolve_to_the_copies_and_others_stay() {
    in_all_homes([
        copy_one::<Pool<Node>>,
        copy_one::<StablePool<Node>>,
        copy_one::<DensePool<Node>>,
        copy_one::<World<Node>>,
    ]);
}

fn clear_one<H: Home>(dice: &mut Dice) {
    let mut home: H = random(dice, 1_000);
    let (before, dangling) = (facts(&home), home.list_dangling());
    assert_eq!(home.clear().len(), dangling.len());
    assert_eq!(facts(&home), before, "references that resolve are unchanged");
    assert_eq!(home.list_dangling(), []);
    home.check();
}

#[test]
fn dangling_references_are_cleared_in_place() {
    in_all_homes([
        clear_one::<Pool<Node>>,
        clear_one::<StablePool<Node>>,
        clear_one::<DensePool<Node>>,
        clear_one::<World<Node>>,
    ]);
}

// ---- single cases ----

#[derive(Clone, Debug, Relink)]
struct Goblin {
    name: &'static str,
    boss: Option<Handle<Goblin>>,
}

#[derive(Clone, Debug, Relink)]
struct Jar {
    carrier: Handle<Goblin>,
    labels: Vec<Handle<Label, Compact>>,
}

#[derive(Clone, Debug, Relink)]
struct Label(Option<Handle<Jar>>);

#[derive(Default)]
struct Game {
    goblins: World<Goblin>,
    jars: StablePool<Jar>,
    labels: DensePool<Label, Handle<Label, Compact>>,
}

impl Game {
    fn load(&mut self, saved: &mut Self) -> Result<Relinked, TransferError> {
        Transfer::new()
            .merge(&mut self.goblins, &mut saved.goblins)
            .merge(&mut self.jars, &mut saved.jars)
            .merge(&mut self.labels, &mut saved.labels)
            .run()
    }

    fn dangling(&self) -> Vec<Dangling> {
        Audit::new().over(&self.goblins).over(&self.jars).over(&self.labels).run()
    }
}

/// A goblin, its jar, and two labels, one of which was removed.
fn game(name: &'static str) -> (Game, Handle<Goblin>, Handle<Jar>) {
    let mut game = Game::default();
    let goblin = game.goblins.spawn(Goblin { name, boss: None });
    let jar = game.jars.reserve_handle();
    let labels = [Some(jar), None].map(|jar| game.labels.insert(Label(jar))).to_vec();
    game.labels.remove(labels[1]);
    game.jars.fill(jar, Jar { carrier: goblin, labels }).unwrap();
    (game, goblin, jar)
}

#[test]
fn several_pools_and_layouts_are_loaded_together() {
    let (mut running, ..) = game("Old Bones");
    let (mut saved, goblin, jar) = game("Grik");
    assert_eq!(saved.dangling().len(), 1);
    let loaded = running.load(&mut saved).unwrap();

    let [cleared] = loaded.cleared() else { panic!("one label was removed: {loaded:?}") };
    assert_eq!(cleared.path, "Jar.labels[1]");
    assert_eq!(cleared.holder, Some(jar.into()), "both names are of the pool that it was in");
    assert_eq!(cleared.new_holder.unwrap().downcast(), loaded.new_handle(jar));
    assert!(matches!(cleared.error, Some(HandleError::Removed { .. })));
    let jar = &running.jars[loaded.new_handle(jar).unwrap()];
    assert_eq!(running.goblins[jar.carrier].name, "Grik");
    assert_eq!(loaded.new_handle(goblin), Some(jar.carrier));
    assert_eq!(running.labels[jar.labels[0]].0, running.jars.handle_of(jar));
    assert!(jar.labels[1].is_nil());
    assert_eq!(running.dangling().len(), 1, "the label of the running game's own jar");
    assert!(saved.goblins.is_empty() && saved.jars.is_empty() && saved.labels.is_empty());
}

#[test]
fn handles_of_other_kinds_are_unchanged() {
    let (mut saved, goblin, jar) = game("Grik");
    let mut jars = StablePool::new();
    let label = saved.jars[jar].labels[0];
    let merged = jars.merge(&mut saved.jars).unwrap();
    let jar = &jars[merged.new_handle(jar).unwrap()];
    assert_eq!((jar.carrier, jar.labels[0]), (goblin, label));
    assert_eq!(merged.cleared(), []);
}

#[test]
#[should_panic = "a pool with this kind of handle takes part already"]
fn two_pools_of_one_kind_are_rejected() {
    let [mut a, mut b, mut c] = [(); 3].map(|()| Pool::<Goblin>::new());
    let _ = Transfer::new().merge(&mut a, &mut b).clear_dangling(&mut c);
}

#[test]
fn reports_name_type_and_field() {
    let mut pool = Pool::new();
    let dead = pool.insert(Node::default());
    pool.remove(dead);
    let node = Node {
        friends: vec![Handle::NIL, dead],
        best: Some(dead),
        pair: (dead, [None, Some(dead)]),
        goal: Goal::Attack { target: dead, with: vec![None, Some(dead)] },
        grudges: BTreeMap::from([(dead, (1, dead))]),
        team: BTreeSet::from([dead]),
        debts: HashMap::from([((dead, 4), None)]),
        ..Node::default()
    };
    let paths = [
        "Node.best",
        "Node.friends[1]",
        "Node.pair.0",
        "Node.pair.1[1]",
        "Node.goal::Attack.target",
        "Node.goal::Attack.with[1]",
        "Node.grudges[Node(0v1)]",
        "Node.grudges[Node(0v1)].1",
        "Node.team[Node(0v1)]",
        "Node.debts[(Node(0v1), 4)].0",
    ];
    let holder = pool.insert(node.clone());
    let listed = pool.audit();
    assert_eq!(listed.iter().map(|it| it.path.as_str()).collect::<Vec<_>>(), paths);
    assert!(listed.iter().all(|it| it.holder == Some(holder.into()) && it.handle == dead.into()));

    let mut other = Pool::new();
    let merged = other.merge(&mut pool).unwrap();
    assert_eq!(merged.cleared()[0].error.unwrap().to_string(), "0v1 was removed: slot 0 is at v2");
    let merged_node = &other[merged.new_handle(holder).unwrap()];
    let cleared = Node {
        friends: vec![Handle::NIL; 2],
        goal: Goal::Attack { target: Handle::NIL, with: vec![None, None] },
        ..Node::default()
    };
    assert_eq!(merged_node, &cleared, "options are `None`, and entries are removed");
}

#[test]
fn pending_handles_are_kept_where_they_can_be_filled() {
    let mut pool = Pool::new();
    let named = pool.reserve_handle();
    let grik = pool.insert(Goblin { name: "Grik", boss: Some(named) });
    let [listed] = &pool.audit()[..] else { panic!("one reference is pending") };
    assert!(listed.is_pending() && listed.holder == Some(grik.into()) && listed.handle == named.into());
    assert_eq!(
        listed.to_string(),
        format!("Goblin.boss of {grik} is {named}, which has no value at the moment: {}", listed.error.unwrap())
    );
    assert!(pool.clear_dangling().is_empty());
    let copies = pool.copy_group(&[grik]).unwrap();
    assert_eq!(pool[copies.new_handle(grik).unwrap()].boss, Some(named));

    let merged = Pool::new().merge(&mut pool).unwrap();
    assert_eq!(merged.cleared().len(), 2);
    assert!(merged.cleared().iter().all(Dangling::is_pending));
}

/// The container that was merged into another one is empty: nothing can be filled in later.
#[test]
fn a_merge_releases_the_pending_handles_of_the_source() {
    macro_rules! check {
        ($($Type:ident $insert:ident;)*) => {$({
            let (mut here, mut there) = ($Type::new(), $Type::new());
            here.$insert(Goblin { name: "Old Bones", boss: None });
            let kept = here.reserve_handle();
            let taken = there.$insert(Goblin { name: "boss", boss: None });
            let reserved = there.reserve_handle();
            let grik = there.$insert(Goblin { name: "Grik", boss: Some(taken) });
            assert!(there.take(taken).is_some());

            let merged = here.merge(&mut there).unwrap();
            assert!(merged.cleared().len() == 1 && merged.cleared()[0].is_pending());
            assert!(merged.new_handle(grik).is_some() && merged.new_handle(reserved).is_none());
            assert_eq!((here.stats().pending, there.stats().pending), (1, 0), stringify!($Type));
            for gone in [taken, reserved] {
                assert!(!matches!(there.status(gone), Status::Pending));
                assert!(there.fill(gone, Goblin { name: "late", boss: None }).is_err());
            }
            here.fill(kept, Goblin { name: "kept", boss: None }).unwrap();
            here.validate().unwrap();
            there.validate().unwrap();
        })*};
    }
    check! { Pool insert; StablePool insert; DensePool insert; World spawn; }
}

/// An undo list that is dropped: its references are cleared once its handles are released.
#[test]
fn references_to_taken_values_are_listed_and_cleared_on_request() {
    fn check<P>(
        [taken, holder]: [Handle<Goblin>; 2],
        mut pool: P,
        audit: impl Fn(&P) -> Vec<Dangling>,
        clear: impl Fn(&mut P) -> Vec<Dangling>,
        release: impl Fn(&mut P) -> usize,
    ) {
        let listed = audit(&pool);
        assert!(listed.len() == 1 && listed[0].is_pending() && listed[0].holder == Some(holder.into()));
        assert!(clear(&mut pool).is_empty());
        assert_eq!(release(&mut pool), 1);
        assert!(audit(&pool).iter().all(|it| !it.is_pending() && it.handle == taken.into()));
        assert_eq!(clear(&mut pool).len(), 1);
        assert!(audit(&pool).is_empty());
    }
    macro_rules! check {
        ($($Type:ident)*) => {$({
            let mut pool = $Type::new();
            let boss = pool.insert(Goblin { name: "boss", boss: None });
            let grik = pool.insert(Goblin { name: "Grik", boss: Some(boss) });
            assert!(pool.take(boss).is_some());
            check([boss, grik], pool, |pool| pool.audit(), |pool| pool.clear_dangling(), |pool| pool.release_pending());
        })*};
    }
    check!(Pool StablePool DensePool);
    let mut world = World::new();
    let boss = world.spawn(Goblin { name: "boss", boss: None });
    let grik = world.spawn(Goblin { name: "Grik", boss: Some(boss) });
    world.end_frame();
    assert!(world.take(boss).is_some());
    check([boss, grik], world, World::audit, World::clear_dangling, World::release_pending);
}

/// A clipboard: what is copied refers to what was copied with it, and to nothing else.
#[test]
fn a_group_is_copied_into_another_pool() {
    let mut scene = Pool::new();
    let root = scene.insert(Goblin { name: "root", boss: None });
    let gone = scene.insert(Goblin { name: "gone", boss: None });
    let [a, b] = ["a", "b"].map(|name| scene.insert(Goblin { name, boss: Some(root) }));
    let c = scene.insert(Goblin { name: "c", boss: Some(a) });
    let d = scene.insert(Goblin { name: "d", boss: Some(gone) });
    scene.remove(gone);
    let before: Vec<_> = scene.iter().map(|(handle, goblin)| (handle, goblin.name, goblin.boss)).collect();

    let mut clipboard = Pool::new();
    clipboard.insert(Goblin { name: "older", boss: None });
    let copied = scene.copy_group_into(&[c, a, d, a], &mut clipboard).unwrap();
    let new = |old| copied.new_handle(old).unwrap();
    assert!(clipboard.values().map(|goblin| goblin.name).eq(["older", "c", "a", "d"]));
    assert_eq!(clipboard[new(c)].boss, Some(new(a)));
    assert_eq!((clipboard[new(a)].boss, clipboard[new(d)].boss), (None, None));
    assert_eq!(copied.new_handle(b), None);
    let lines: Vec<_> = copied.cleared().iter().map(ToString::to_string).collect();
    assert_eq!(lines[0], format!("Goblin.boss of {a} (now {}) is {root}, which was not copied with it", new(a)));
    let removed = copied.cleared()[1].error.unwrap();
    assert_eq!(lines[1], format!("Goblin.boss of {d} (now {}) is {gone}, which does not resolve: {removed}", new(d)));
    assert!(clipboard.audit().is_empty());

    let after: Vec<_> = scene.iter().map(|(handle, goblin)| (handle, goblin.name, goblin.boss)).collect();
    assert_eq!(before, after, "what is copied is not changed");
    assert!(matches!(scene.copy_group_into(&[a, gone], &mut clipboard), Err(TransferError::NotLive { .. })));
    assert_eq!(clipboard.len(), 4);
    clipboard.validate().unwrap();

    let world = World::from([Goblin { name: "orc", boss: None }]);
    let orc = world.find(|_| true).unwrap();
    let mut other = World::new();
    let copied = world.copy_group_into(&[orc], &mut other).unwrap();
    assert_eq!(other.status(copied.new_handle(orc).unwrap()), tenure::Status::Spawned);
    other.end_frame();
    assert_eq!((world.len(), other.len()), (1, 1));
    world.validate().unwrap();
    other.validate().unwrap();
}

#[test]
fn values_outside_of_pools_are_relinked() {
    let (mut here, mut there) = (Pool::new(), Pool::new());
    here.insert(Goblin { name: "Old Bones", boss: None });
    let grik = there.insert(Goblin { name: "Grik", boss: None });
    let gone = there.insert(Goblin { name: "gone", boss: None });
    there.remove(gone);
    let mut selection = vec![grik, gone];
    let merged = Transfer::new().merge(&mut here, &mut there).value("selection", &mut selection).run().unwrap();
    assert_eq!(selection, [merged.new_handle(grik).unwrap(), Handle::NIL]);
    assert_eq!((merged.cleared()[0].path.as_str(), merged.cleared()[0].holder), ("selection[1]", None));
}

#[test]
fn merged_handles_have_the_tag_of_the_destination() {
    type Colony = Pool<Option<Handle<u8, Tagged<4>>>, Handle<u8, Tagged<4>>>;
    let (mut here, mut there) = (Colony::with_tag(1), Colony::with_tag(2));
    let first = there.insert(None);
    let second = there.insert(Some(first));
    let stranger = there.insert(Some(here.insert(None)));
    let merged = here.merge(&mut there).unwrap();
    let new = |old| merged.new_handle(old).unwrap();
    assert_eq!((new(second).tag(), here[new(second)]), (1, Some(new(first))));
    assert_eq!(here[new(stranger)], None);
    assert!(matches!(merged.cleared()[0].error, Some(HandleError::Foreign { .. })));
}

#[test]
fn side_data_follows_a_merge() {
    let (mut here, mut there) = (Pool::from(["a"]), Pool::from(["b", "c"]));
    let mut notes = SideMap::new();
    let b = there.handle_at(0).unwrap();
    let merged = here.merge(&mut there).unwrap();
    for (_, new) in merged.pairs() {
        notes.insert(&here, new, here[new]).unwrap();
    }
    assert_eq!(notes[merged.new_handle(b).unwrap()], "b");
}

// ---- nothing is lost ----

#[test]
fn a_merge_that_does_not_fit_changes_nothing() {
    type Small = Pool<u32, Handle<u32, Compact<2>>>; // room for three
    let (mut here, mut there): (Small, Small) = (Small::from_iter([1, 2]), Small::from_iter([3, 4]));
    let (before_here, before_there) = (here.clone(), there.clone());
    let next = here.clone().insert(0);
    let error = here.merge(&mut there).unwrap_err();
    assert!(error.to_string().contains("no more slots"), "{error}");
    assert!(here == before_here && there == before_there);
    assert_eq!(here.insert(0), next, "a handle was used up");

    let mut fixed: Pool<u32> = Pool::with_fixed_capacity(64);
    let mut many: Pool<u32> = (0..100).collect();
    let error = fixed.merge(&mut many).unwrap_err();
    assert!(error.to_string().contains("fixed"), "{error}");
    assert_eq!((fixed.len(), many.len()), (0, 100));
}

#[test]
fn all_pools_change_or_none() {
    let (mut goblins, mut more): (Pool<u8>, Pool<u8>) = (Pool::new(), [1, 2].into_iter().collect());
    let (mut full, mut rest): (FixedPool<u16, 1>, FixedPool<u16, 1>) = (FixedPool::new(), FixedPool::new());
    full.insert(1);
    rest.insert(2);
    let refused = Transfer::new().merge(&mut goblins, &mut more).merge(&mut *full, &mut *rest).run();
    assert!(matches!(refused, Err(TransferError::Full(_))));
    assert_eq!((goblins.len(), more.len(), full.len(), rest.len()), (0, 2, 1, 1));
    assert_eq!(goblins.stats().pending, 0);
    full.clear();
    assert!(full.merge(&mut rest).unwrap().cleared().is_empty());
    assert_eq!((full.values().copied().sum::<u16>(), rest.len()), (2, 0));
}

#[test]
fn a_group_with_a_dead_member_is_rejected() {
    let mut pool = Pool::from([1, 2]);
    let [first, second] = [0, 1].map(|index| pool.handle_at(index).unwrap());
    pool.remove(second);
    let error = pool.copy_group(&[first, second]).unwrap_err();
    assert!(error.to_string().starts_with("i32(1v1) cannot be copied: 1v1 was removed"), "{error}");
    assert_eq!(pool.len(), 1);
    assert!(pool.copy_group(&[]).unwrap().cleared().is_empty());
}

// ---- worlds ----

/// Live, uncommitted, dying, staged and permanent entities, each with the missile as its target.
#[test]
fn a_merge_ends_the_frame_of_the_source_world_first() {
    #[derive(Relink)]
    struct Entity(&'static str, Option<Handle<Entity>>);

    let (mut world, mut saved) = (World::new(), World::new());
    let player = world.spawn(Entity("player", None));
    world.end_frame();
    let missile = saved.spawn(Entity("missile", None));
    let tower = saved.spawn(Entity("tower", Some(missile)));
    saved.make_permanent(tower);
    saved.end_frame();
    saved.despawn(missile);
    let egg = saved.spawn(Entity("egg", Some(tower)));
    let ticket = saved.stage(Entity("staged", Some(egg)));

    let merged = world.merge(&mut saved).unwrap();
    let staged = saved.last_commit().handle(ticket).unwrap();
    assert_eq!(merged.new_handle(missile), None);
    assert_eq!(merged.cleared().len(), 1, "the tower's target was despawned");
    let [tower, egg, staged] = [tower, egg, staged].map(|old| merged.new_handle(old).unwrap());
    assert_eq!([tower, egg, staged].map(|it| world.status(it)), [Status::Spawned; 3]);
    assert_eq!((world.len(), world[tower].1, world[egg].1, world[staged].1), (1, None, Some(tower), Some(egg)));

    let highest = world.id_of(player).unwrap();
    let ids = [tower, egg, staged].map(|it| world.id_of(it).unwrap());
    assert!(ids.iter().all(|id| *id > highest) && BTreeSet::from(ids).len() == 3, "new ids: {ids:?}");
    assert_eq!(ids.map(|id| world.by_id(id)), [Some(tower), Some(egg), Some(staged)]);

    let report = world.end_frame();
    assert_eq!((report.spawned, world.len(), world[staged].0), (3, 4, "staged"));
    assert!(world.is_permanent(tower) && !world.is_permanent(egg));
    assert_eq!(world.clear_temporary(), 3);
    assert!(world.contains(tower) && saved.is_empty());
    world.validate().unwrap();
    saved.validate().unwrap();
    let new = saved.spawn(Entity("new", None));
    assert!(saved.id_of(new).unwrap().get() > 4, "no id is reused");
}

#[test]
fn copies_of_permanent_or_dying_entities_are_ordinary_entities() {
    let mut world: World<Option<u8>> = World::new();
    let (kept, dying) = (world.spawn(Some(1)), world.spawn(Some(2)));
    world.end_frame();
    world.make_permanent(kept);
    world.despawn(dying);
    let copies = world.copy_group(&[kept, dying]).unwrap();
    let [first, second] = [kept, dying].map(|it| copies.new_handle(it).unwrap());
    assert_eq!([first, second].map(|it| world.status(it)), [Status::Spawned; 2]);
    world.end_frame();
    assert!(!world.is_permanent(first) && !world.contains(dying));
    assert_eq!(world[second], Some(2));
}

// ---- types of the language and its libraries ----

#[test]
fn handles_are_found_in_every_type() {
    type H = Handle<str>;
    let mut names: Pool<(), Handle<str>> = Pool::default();
    let h: H = names.insert(());
    let borrowed = [h];
    let count = |value: &dyn Fn(&mut dyn FnMut())| {
        let mut count = 0;
        value(&mut || count += 1);
        count
    };
    macro_rules! check {
        ($($value:expr => $expected:literal),* $(,)?) => {$({
            let mut value = $value;
            let seen = count(&|see| references(&value, |handle, _| { assert_eq!(handle.downcast(), Some(h)); see(); }));
            assert_eq!(seen, $expected, "{}", stringify!($value));
            // An empty pool relinks them: all of them are cleared.
            let (mut empty, mut other): (Pool<(), Handle<str>>, Pool<(), Handle<str>>) = Default::default();
            let cleared = Transfer::new().merge(&mut empty, &mut other).value("it", &mut value).run().unwrap();
            assert_eq!(cleared.cleared().len(), $expected, "{}", stringify!($value));
            assert_eq!(count(&|see| references(&value, |_, _| see())), 0, "{}", stringify!($value));
        })*};
    }
    check! {
        h => 1, Some(h) => 1, [h; 3] => 3, vec![h; 2] => 2, Box::new([h]) as Box<[H]> => 1, VecDeque::from([h]) => 1,
        BTreeMap::from([(h, h)]) => 2, BTreeSet::from([(h, 1)]) => 1, BinaryHeap::from([h, h]) => 2,
        std::collections::LinkedList::from([h]) => 1, Ok::<H, (H, H)>(h) => 1, Err::<H, (H, H)>((h, h)) => 2,
        Cell::new(h) => 1, RefCell::new(vec![h]) => 1, OnceCell::from(h) => 1, h..h => 2, h..=h => 2, (h, 1, "x", ()) => 1,
        std::borrow::Cow::<[H]>::Owned(vec![h]) => 1, std::borrow::Cow::Borrowed(borrowed.as_slice()) => 1,
        Pool::from([Some(h)]) => 1, StablePool::from([h]) => 1, DensePool::from([h]) => 1,
        (1_u8, 'a', 1.5, String::new(), true, std::marker::PhantomData::<H>, std::time::Duration::ZERO) => 0,
        ((h, h, h), (h, h, h, h, h, h, h, h, h, h, h, h)) => 15,
    }
}

// ---- debug output ----

/// Records how the visitors print.
struct Shown {
    link: Handle<Shown>,
    seen: String,
}

impl Relink for Shown {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        assert_eq!(format!("{visitor:?}"), "Visitor { path: Shown, .. }");
        self.link.visit(&mut visitor.at_field("link"));
    }

    fn relink(&mut self, relinker: &mut Relinker<'_>) {
        self.seen = format!("{:?}", relinker.at_field("link"));
        self.link.relink(relinker);
    }
}

#[test]
fn visitors_print_the_path_and_any_handle_prints_as_the_handle() {
    let link = Handle::from_parts(7, 3).unwrap();
    let mut pool: Pool<Shown> = Pool::new();
    let handle = pool.insert(Shown { link, seen: String::new() });
    let mut seen = Vec::new();
    references(&pool[handle], |link, path| seen.push(format!("{link:?} {link} {path:?}")));
    assert_eq!(seen, ["Shown(7v3) Shown(7v3) Shown.link"]);
    assert_eq!(pool.clear_dangling().len(), 1);
    assert!(pool[handle].seen.starts_with("Relinker { path: "), "{}", pool[handle].seen);
    assert!(pool[handle].seen.ends_with(".link, .. }"), "{}", pool[handle].seen);
}

// ---- panics ----

/// Burns the fuse whenever it is visited, relinked, copied or dropped.
#[derive(Clone)]
struct Touchy {
    value: Tracked,
    links: Vec<Handle<Touchy>>,
}

impl Relink for Touchy {
    fn visit(&self, visitor: &mut Visitor<'_>) {
        fuse::burn();
        self.links.visit(visitor);
    }

    fn relink(&mut self, relinker: &mut Relinker<'_>) {
        fuse::burn();
        self.links.relink(relinker);
        fuse::burn();
    }
}

fn touchy(ids: std::ops::Range<u32>, mut insert: impl FnMut(Touchy) -> Handle<Touchy>) -> Vec<Handle<Touchy>> {
    let mut links = vec![Handle::from_parts(50, 1).unwrap()];
    for id in ids {
        let new = insert(Touchy { value: Tracked::new(id), links: links.clone() });
        links.push(new);
    }
    links.split_off(1)
}

/// Lets the first, the second, … call of user code panic, until no call panics. Returns the number
/// of panics.
fn every_panic<S>(setup: impl Fn() -> S, act: impl Fn(&mut S) -> bool, check: impl Fn(S, bool)) -> u32 {
    for calls in 0.. {
        ledger::reset();
        let mut state = setup();
        fuse::arm(calls);
        let went_well = quiet::catch(|| act(&mut state));
        let blown = fuse::disarm();
        assert_eq!(blown, went_well.is_err(), "only the fuse panics");
        check(state, went_well.is_ok());
        ledger::expect(0).unwrap();
        if !blown {
            return calls;
        }
    }
    unreachable!("user code is called a finite number of times")
}

macro_rules! survives {
    ($name:ident, $Type:ident, $insert:ident, $iter:ident, $end_frame:expr) => {
        #[test]
        fn $name() {
            let end_frame: fn(&mut $Type<Touchy>) = $end_frame;
            let setup = || {
                let (mut here, mut there) = ($Type::<Touchy>::new(), $Type::<Touchy>::new());
                touchy(0..3, |it| here.$insert(it));
                touchy(10..14, |it| there.$insert(it));
                end_frame(&mut here);
                end_frame(&mut there);
                (here, there)
            };
            let ids = |it: &$Type<Touchy>| it.$iter().map(|(_, touchy)| touchy.value.id()).collect::<Vec<_>>();
            #[allow(unused_mut, reason = "a world is validated alone")]
            let check = |(mut here, mut there): ($Type<Touchy>, $Type<Touchy>),
                         went_well: bool,
                         after: &[u32],
                         left: &[u32]| {
                ledger::expect(after.len() + left.len()).unwrap();
                assert_eq!((ids(&here), ids(&there)), (after.to_vec(), left.to_vec()), "{went_well}");
                // Everything works as before, and no slot stays reserved for values that were not
                // moved.
                end_frame(&mut here);
                let more = 100..116 - u32::try_from(after.len()).unwrap();
                let newest = touchy(more.clone(), |it| here.$insert(it)).pop().unwrap();
                assert_eq!(here[newest].value.id(), more.end - 1);
                end_frame(&mut here);
                assert!(here.$iter().all(|(handle, _)| handle.index() < 16), "{went_well}");
                here.validate().unwrap();
                there.validate().unwrap();
            };

            let merge = |state: &mut ($Type<Touchy>, $Type<Touchy>)| state.0.merge(&mut state.1).is_ok();
            let panics = every_panic(setup, merge, |state, well| match well {
                true => check(state, well, &[0, 1, 2, 10, 11, 12, 13], &[]),
                false => check(state, well, &[0, 1, 2], &[10, 11, 12, 13]),
            });
            assert!(panics >= 8, "{panics}");

            let copy = |(here, _): &mut ($Type<Touchy>, $Type<Touchy>)| {
                let group: Vec<_> = here.$iter().map(|(handle, _)| handle).take(2).collect();
                here.copy_group(&group).is_ok()
            };
            let panics = every_panic(setup, copy, |state, well| match well {
                true => check(state, well, &[0, 1, 2, 0, 1], &[10, 11, 12, 13]),
                false => check(state, well, &[0, 1, 2], &[10, 11, 12, 13]),
            });
            assert!(panics >= 6, "{panics}");

            let copy_into = |(here, there): &mut ($Type<Touchy>, $Type<Touchy>)| {
                let group: Vec<_> = there.$iter().map(|(handle, _)| handle).skip(1).take(2).collect();
                there.copy_group_into(&group, here).is_ok()
            };
            let panics = every_panic(setup, copy_into, |state, well| match well {
                true => check(state, well, &[0, 1, 2, 11, 12], &[10, 11, 12, 13]),
                false => check(state, well, &[0, 1, 2], &[10, 11, 12, 13]),
            });
            assert!(panics >= 6, "{panics}");

            let clear = |(here, _): &mut ($Type<Touchy>, $Type<Touchy>)| here.clear_dangling().len() == 3;
            every_panic(setup, clear, |state, well| check(state, well, &[0, 1, 2], &[10, 11, 12, 13]));
        }
    };
}

survives!(pools_survive_panics, Pool, insert, iter, |_| {});
survives!(stable_pools_survive_panics, StablePool, insert, iter, |_| {});
survives!(dense_pools_survive_panics, DensePool, insert, iter, |_| {});
survives!(worlds_survive_panics, World, spawn, iter_all, |world| _ = world.end_frame());

// ---- refused memory ----

/// A value with a reference to another one.
#[derive(Clone, Debug, PartialEq, Relink)]
struct Twin(u32, Option<Handle<Twin>>);

/// Values that refer to the one inserted before them. The last one is removed: it is dangling
/// nowhere.
const TWINS: u32 = 300;

/// Refuses each request for memory in turn, and all after it. (Not those below 1,000 bytes: there
/// is no error for a part of the transfer.) Returns the number of refusals.
fn every_refusal<S>(
    setup: impl Fn() -> S,
    act: impl Fn(&mut S) -> Result<Relinked, TransferError>,
    check: impl Fn(S, bool),
) -> u64 {
    for nth in 0.. {
        let mut state = setup();
        let (result, asked) =
            alloc::large_only(1_000, || alloc::count(|| alloc::refuse_from(nth, || act(&mut state))));
        match &result {
            Ok(relinked) => assert_eq!(relinked.cleared(), []),
            Err(error) => assert!(asked > nth && error.to_string().contains("memory"), "{error}"),
        }
        check(state, result.is_ok());
        if asked <= nth {
            return nth;
        }
    }
    unreachable!("a transfer makes a finite number of requests")
}

macro_rules! returns_an_error {
    ($name:ident, $Type:ident, $insert:ident, $iter:ident, $end_frame:expr) => {
        #[test]
        fn $name() {
            type Both = ($Type<Twin>, $Type<Twin>);
            let end_frame: fn(&mut $Type<Twin>) = $end_frame;
            let setup = || {
                let mut both: Both = ($Type::new(), $Type::new());
                for (pool, first) in [(&mut both.0, 0), (&mut both.1, 1_000)] {
                    let mut last = None;
                    for number in first..first + TWINS {
                        last = Some(pool.$insert(Twin(number, last)));
                    }
                    end_frame(pool);
                }
                both
            };
            // Each value with the number of the value that it refers to.
            let content = |pool: &$Type<Twin>| -> Vec<(u32, Option<u32>)> {
                pool.$iter().map(|(_, twin)| (twin.0, twin.1.map(|other| pool[other].0))).collect()
            };
            let range = |first: u32, count: u32| {
                (first..first + count).map(move |number| (number, (number > first).then(|| number - 1)))
            };
            let check = |(mut here, mut there): Both, after: &[_], left: &[_]| {
                assert_eq!((content(&here), content(&there)), (after.to_vec(), left.to_vec()));
                assert_eq!((here.stats().pending, there.stats().pending), (0, 0));
                here.$insert(Twin(0, None));
                there.$insert(Twin(0, None));
                end_frame(&mut here);
                end_frame(&mut there);
                here.validate().unwrap();
                there.validate().unwrap();
            };
            let (first, second): (Vec<_>, Vec<_>) = (range(0, TWINS).collect(), range(1_000, TWINS).collect());

            let refusals = every_refusal(
                setup,
                |(here, there)| here.merge(there),
                |both, is_done| match is_done {
                    true => check(both, &[&*first, &second].concat(), &[]),
                    false => check(both, &first, &second),
                },
            );
            assert!(refusals >= 2, "{refusals}");

            let copied: Vec<_> = range(0, TWINS - 50).collect();
            let copy = |(here, _): &mut Both| {
                let group: Vec<_> = alloc::pause(|| here.handles().take(250).collect());
                here.copy_group(&group)
            };
            let refusals = every_refusal(setup, copy, |both, is_done| match is_done {
                true => check(both, &[&*first, &copied].concat(), &second),
                false => check(both, &first, &second),
            });
            assert!(refusals >= 4, "{refusals}");

            let copied: Vec<_> = range(1_000, TWINS - 50).collect();
            let copy_into = |(here, there): &mut Both| {
                let group: Vec<_> = alloc::pause(|| there.handles().take(250).collect());
                there.copy_group_into(&group, here)
            };
            let refusals = every_refusal(setup, copy_into, |both, is_done| match is_done {
                true => check(both, &[&*first, &copied].concat(), &second),
                false => check(both, &first, &second),
            });
            assert!(refusals >= 4, "{refusals}");

            let clear = |(here, _): &mut Both| Transfer::new().clear_dangling(here).run();
            let refusals = every_refusal(setup, clear, |both, _| check(both, &first, &second));
            assert_eq!(refusals, 0, "where nothing is cleared, no memory is needed");
        }
    };
}

returns_an_error!(pools_return_an_error_without_memory, Pool, insert, iter, |_| {});
returns_an_error!(stable_pools_return_an_error_without_memory, StablePool, insert, iter, |_| {});
returns_an_error!(dense_pools_return_an_error_without_memory, DensePool, insert, iter, |_| {});
returns_an_error!(worlds_return_an_error_without_memory, World, spawn, iter_all, |world| _ = world.end_frame());

// ---- names ----

key_type! {
    struct EnemyKey: Enemy;
    struct BulletKey: Bullet, Compact;
}

#[derive(Clone, Relink)]
struct Enemy {
    friend: Option<EnemyKey>,
    rival: EnemyKey,
    bullets: BTreeMap<BulletKey, u32>,
}

fn enemy(friend: Option<EnemyKey>, rival: EnemyKey) -> Enemy {
    Enemy { friend, rival, bullets: BTreeMap::new() }
}

/// Groups, pairs and results are keys, not the handles inside them.
#[test]
fn transfers_take_and_return_keys() {
    let mut enemies: Pool<Enemy, EnemyKey> = Pool::EMPTY;
    let orc = enemies.insert(enemy(None, EnemyKey::NIL));
    let elf = enemies.insert(enemy(Some(orc), orc));
    let copied = Transfer::new().copy(&mut enemies, &[elf, orc, elf]).run().unwrap();
    let pairs: Vec<(EnemyKey, EnemyKey)> = copied.pairs().collect();
    assert_eq!(pairs, [orc, elf].map(|old| (old, copied.new_handle(old).unwrap())));
    assert!(copied.pairs().rev().eq(pairs.iter().rev().copied()));
    assert_eq!((copied.pairs::<EnemyKey>().len(), copied.pairs::<BulletKey>().len()), (2, 0));
    assert_eq!(format!("{:?}", copied.pairs::<EnemyKey>()), format!("{pairs:?}"));
    assert_eq!(enemies[pairs[1].1].friend, Some(pairs[0].1));

    let mut clipboard: Pool<Enemy, EnemyKey> = Pool::EMPTY;
    let copied = Transfer::new().copy_into(&enemies, &[elf], &mut clipboard).run().unwrap();
    assert!(copied.pairs().eq([(elf, clipboard.handles().next().unwrap())]));
}

/// Reports show a key with the name that its own `Debug` and `Display` show.
#[test]
fn reports_show_a_key_as_the_key_is_shown() {
    let mut bullets: Pool<(), BulletKey> = Pool::EMPTY;
    let bullet = bullets.insert(());
    bullets.remove(bullet);
    let mut enemies: Pool<Enemy, EnemyKey> = Pool::EMPTY;
    let orc = enemies.insert(enemy(None, EnemyKey::NIL));
    let elf = enemies.insert(enemy(Some(orc), orc));
    enemies[elf].bullets.insert(bullet, 1);
    enemies.remove(orc);
    assert_eq!((orc.to_string(), format!("{elf:?}")), ("Enemy(0v1)".into(), "Enemy(1v1)".into()));

    let listed = Audit::new().over(&enemies).over(&bullets).run();
    let texts: Vec<_> = listed.iter().map(ToString::to_string).collect();
    assert!(texts[0].starts_with("Enemy.friend of Enemy(1v1) is Enemy(0v1), which"), "{texts:?}");
    assert!(texts[1].starts_with("Enemy.rival of Enemy(1v1) is Enemy(0v1), which"), "{texts:?}");
    assert!(texts[2].contains(" of Enemy(1v1) is Bullet(0v1), which"), "{texts:?}");
    assert_eq!((texts.len(), listed[0].holder, listed[0].handle), (3, Some(elf.into()), orc.into()));
    // The same handle, shown differently.
    assert_eq!(listed[0].handle, AnyHandle::from(orc.handle()));
    assert_eq!(listed[0].handle.downcast(), Some(orc.handle()));

    let refused = enemies.copy_group(&[elf, orc]).unwrap_err();
    assert!(refused.to_string().contains("Enemy(0v1)"), "{refused}");
    assert!(!refused.to_string().contains("EnemyKey"), "{refused}");

    let mut world: World<Enemy, EnemyKey> = World::EMPTY;
    let gone = world.spawn(enemy(None, EnemyKey::NIL));
    let troll = world.spawn(enemy(Some(gone), gone));
    world.despawn(gone);
    world.end_frame();
    let mut second: World<Enemy, EnemyKey> = World::EMPTY;
    second.spawn(enemy(None, EnemyKey::NIL));
    second.spawn(enemy(None, EnemyKey::NIL));
    second.end_frame();
    let moved = second.merge(&mut world).unwrap();
    let cleared: Vec<_> = moved.cleared().iter().map(ToString::to_string).collect();
    assert!(
        cleared[0].starts_with("Enemy.friend of Enemy(1v1) (now Enemy(2v1)) is Enemy(0v1), which"),
        "{cleared:?}"
    );
    let troll = moved.new_handle(troll).unwrap();
    assert_eq!((second[troll].friend, second[troll].rival, cleared.len()), (None, EnemyKey::NIL, 2));
}
