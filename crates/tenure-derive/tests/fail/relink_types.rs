//! Fields that do not say where their handles are.

use std::collections::HashMap;
use std::rc::Rc;

use tenure::{Handle, Pool, Relink};

struct Plain;

#[derive(Relink)]
struct Goblin {
    plain: Plain,
    shared: Rc<u8>,
    map: HashMap<u8, Handle<Goblin>>,
    #[relink(with = tenure::relink::map)]
    no_map: u8,
}

fn main() {
    let (mut here, mut there) = (Pool::<Plain>::new(), Pool::<Plain>::new());
    let _ = here.merge(&mut there);
}
