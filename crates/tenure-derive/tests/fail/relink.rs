//! Mistakes with `#[derive(Relink)]`.

use tenure::Relink;

#[derive(Relink)]
union Union {
    a: u8,
}

#[derive(Relink)]
#[relink(skip)]
struct OnStruct {
    value: u8,
}

#[derive(Relink)]
#[relink(bound(T: Clone), bound(T: Copy))]
struct Twice<T> {
    value: T,
}

#[derive(Relink)]
struct OnFields {
    #[relink(skipped)]
    unknown: u8,
    #[relink(skip, with = tenure::relink::map)]
    both: u8,
    #[relink(with)]
    without_path: u8,
    #[relink]
    without_word: u8,
}

#[derive(Relink)]
enum OnVariants {
    #[relink(skip)]
    A,
}

fn main() {}
