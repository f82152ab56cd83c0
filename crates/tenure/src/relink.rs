//! Changing the handles inside values: merging pools, copying groups of values, and finding
//! dangling references.
//!
//! A *reference* here is a handle that is stored in a value. It is *dangling* if it is not nil and
//! does not resolve.
//!
//! In this example, a saved game is loaded into one that is running. Every value gets a new handle,
//! and every reference among the values is changed to the new handle, in whichever pool its target
//! is:
//!
//! ```
//! use tenure::relink::{Relinked, Transfer, TransferError};
//! use tenure::{Handle, Pool, Relink};
//!
//! #[derive(Relink)]
//! struct Goblin { name: String, friends: Vec<Handle<Goblin>> }
//!
//! #[derive(Relink)]
//! struct Jar { carrier: Option<Handle<Goblin>> }
//!
//! struct Game { goblins: Pool<Goblin>, jars: Pool<Jar>, hero: Handle<Goblin> }
//!
//! impl Game {
//!     fn load(&mut self, saved: &mut Game) -> Result<Relinked, TransferError> {
//!         Transfer::new()
//!             .merge(&mut self.goblins, &mut saved.goblins)
//!             .merge(&mut self.jars, &mut saved.jars)
//!             .value("hero", &mut saved.hero)
//!             .run()
//!     }
//! }
//!
//! # fn new_game(names: &[&str]) -> Game {
//! #     let mut goblins = Pool::new();
//! #     let mut friends = Vec::new();
//! #     for name in names {
//! #         friends.push(goblins.insert(Goblin { name: name.to_string(), friends: friends.clone() }));
//! #     }
//! #     Game { goblins, jars: Pool::new(), hero: friends[0] }
//! # }
//! let mut game = new_game(&["Old Bones", "Mog"]); // takes the slots 0 and 1
//! let mut saved = new_game(&["Grik", "Snag", "Blubb"]); // each is a friend of those before
//! let [grik, snag, blubb] = [0, 1, 2].map(|index| saved.goblins.handle_at(index).unwrap());
//! let jar = saved.jars.insert(Jar { carrier: Some(snag) });
//! saved.goblins.remove(grik);
//!
//! let loaded = game.load(&mut saved).unwrap();
//!
//! let blubb = &game.goblins[loaded.new_handle(blubb).unwrap()];
//! assert_eq!(game.goblins[blubb.friends[1]].name, "Snag"); // the old handle's index belongs to another goblin here
//! let jar = &game.jars[loaded.new_handle(jar).unwrap()];
//! assert_eq!(game.goblins[jar.carrier.unwrap()].name, "Snag");
//!
//! // Grik was removed before the game was loaded: references to it are cleared and reported.
//! assert!(blubb.friends[0].is_nil());
//! let cleared: Vec<_> = loaded.cleared().iter().map(|it| it.path.as_str()).collect();
//! assert_eq!(cleared, ["Goblin.friends[0]", "Goblin.friends[0]", "hero"]);
//! ```
//!
//! | to | for one pool or world | for several |
//! |---|---|---|
//! | move all values of another one in | [`merge`](crate::Pool::merge) | [`Transfer::merge`] |
//! | copy a group with the references inside it (in games: a prefab) | [`copy_group`](crate::Pool::copy_group) | [`Transfer::copy`] |
//! | list dangling references | [`audit`](crate::Pool::audit) | [`Audit`] |
//! | clear and list them | [`clear_dangling`](crate::Pool::clear_dangling) | [`Transfer::clear_dangling`] |
//! | visit all handles in a value | [`references`] | |
//!
//! All of these use the trait [`Relink`], which visits the handles in a value. `#[derive(Relink)]`
//! (with the feature `derive`) implements it.
//!
//! A [`Table`](crate::Table) stores its fields in columns, so there are no row values to visit.
//! Pass its columns to [`Transfer::value`]. A table cannot be merged, copied or audited: handles of
//! its rows stay as they are.
//!
//! # Cost
//!
//! A transfer visits every value that moves or is copied once or twice, and map keys more often. It
//! finds the new handle of each reference in O(log holes) in the worst case, where holes is the
//! number of slots, below the last one that moves or is copied, that do not; without holes in O(1).
//! It allocates 16 bytes per value that moves or is copied (8 with a 32-bit layout), which the
//! [`Relinked`] keeps. Copies are in a list until all of them are ready.

mod any_handle;
mod audit;
mod holder;
mod impls;
pub mod map;
mod methods;
mod parts;
mod path;
mod renames;
mod report;
pub mod set;
mod transfer;
mod visit;
mod world;

pub use self::any_handle::AnyHandle;
pub use self::audit::Audit;
pub use self::holder::Holder;
pub use self::path::Path;
pub use self::report::{Dangling, Pairs, Relinked, TransferError};
pub use self::transfer::Transfer;
pub use self::visit::{Relinker, Visitor, references};
#[cfg(feature = "derive")]
pub use tenure_derive::Relink;

/// A type whose handles can be visited and changed. Usually derived (feature `derive`; without it,
/// the compiler says that there is no derive macro of this name):
///
/// ```
/// use std::collections::HashMap;
/// use std::rc::Rc;
/// use tenure::{Compact, Handle, Relink};
///
/// # struct Item;
/// #[derive(Relink)]
/// struct Goblin {
///     name: String,
///     friends: Vec<Handle<Goblin>>,
///     carries: [Option<Handle<Item, Compact>>; 2],
///     goal: Goal,
///     #[relink(with = tenure::relink::map)]
///     grudges: HashMap<Handle<Goblin>, i32>,
///     #[relink(skip)]
///     mesh: Rc<[f32]>,
/// }
///
/// #[derive(Relink)]
/// enum Goal {
///     Sleep,
///     Attack { target: Handle<Goblin> },
///     Guard(Handle<Item, Compact>),
/// }
/// ```
///
/// `HashMap` and `HashSet` need `with`: see [`map`] and [`set`].
///
/// Shared values (`Rc`, `Arc`, `&T` except `&str`) do not implement it: a change for one owner
/// would be a change for all. Skip such a field if it has no handles.
///
/// In an implementation by hand, both methods visit the same fields in the same order:
///
/// ```
/// use tenure::Handle;
/// use tenure::relink::{Relink, Relinker, Visitor};
///
/// struct Squad { leader: Handle<str>, members: Vec<Handle<str>> }
///
/// impl Relink for Squad {
///     fn visit(&self, visitor: &mut Visitor<'_>) {
///         self.leader.visit(&mut visitor.at_field("leader"));
///         self.members.visit(&mut visitor.at_field("members"));
///     }
///
///     fn relink(&mut self, relinker: &mut Relinker<'_>) {
///         self.leader.relink(&mut relinker.at_field("leader"));
///         self.members.relink(&mut relinker.at_field("members"));
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say where its handles are",
    label = "`Relink` is not implemented for `{Self}`",
    note = "a struct or enum of yours: add `#[derive(tenure::Relink)]` to it (feature `derive`)",
    note = "a field without handles: add `#[relink(skip)]` to the field",
    note = "a field that is a `HashMap` or `HashSet`: add `#[relink(with = tenure::relink::map)]` or `#[relink(with = tenure::relink::set)]` to the field"
)]
pub trait Relink {
    /// Passes every handle in the value to the visitor.
    fn visit(&self, visitor: &mut Visitor<'_>);

    /// Passes every handle in the value to the relinker, which changes it.
    fn relink(&mut self, relinker: &mut Relinker<'_>);

    /// Relinks the value of an `Option`. A handle that does not resolve becomes `None`.
    #[doc(hidden)]
    fn relink_option(option: &mut Option<Self>, relinker: &mut Relinker<'_>)
    where
        Self: Sized,
    {
        if let Some(value) = option {
            value.relink(relinker);
        }
    }
}
