//! Rows that implement `Drop`: their fields cannot be moved into columns.

use std::fmt::Debug;
use std::marker::PhantomData;

use tenure::Row;

#[derive(Row)]
struct Owns {
    value: String,
}

impl Drop for Owns {
    fn drop(&mut self) {}
}

#[derive(Row)]
struct AllCopy {
    x: f32,
    y: f32,
    #[row(skip)]
    scratch: u8,
}

impl Drop for AllCopy {
    fn drop(&mut self) {}
}

#[derive(Row)]
struct Generic<'a, T: Copy, const N: usize>
where
    T: Debug,
{
    values: [T; N],
    #[row(skip)]
    about: PhantomData<&'a ()>,
}

impl<T: Copy + Debug, const N: usize> Drop for Generic<'_, T, N> {
    fn drop(&mut self) {}
}

#[derive(Row)]
struct Outer {
    #[row(nested)]
    inner: Inner,
    x: f32,
}

#[derive(Row)]
struct Inner {
    y: f32,
}

impl Drop for Inner {
    fn drop(&mut self) {}
}

fn main() {}
