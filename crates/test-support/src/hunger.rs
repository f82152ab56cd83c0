//! Refused memory, at every request. Needs the [watched allocator](crate::alloc).

use tenure::Rejection;

use crate::action::{Action, Out, Put, Room};
use crate::answer::Census;
use crate::injection::sound_listing;
use crate::op::Op;
use crate::rig::Rig;
use crate::run::{Run, answer_of};
use crate::subject::{Listing, Subject};
use crate::{Answer, alloc, ledger, quiet};

/// Runs `setup`, then `op` with its first request for memory refused; then all again with the
/// second request refused; and so on, until no request is refused. Returns the number of refusals.
///
/// An operation that does not panic is also run with all requests from the n-th on refused: its
/// error path must not need memory.
///
/// # Errors
///
/// The fault, and the refusal that caused it.
pub fn every_refusal(rig: &Rig, setup: &[Op], op: Op) -> Result<u64, String> {
    if !alloc::is_watched() {
        return Err("the watched allocator is not installed".into());
    }
    quiet::install();
    for nth in 0.. {
        let mut is_refused = false;
        for refusal in [Refusal::One, Refusal::AllFrom] {
            let mut run = Run::after(rig, setup)?;
            ledger::reserve(10_000);
            let action = run.known.resolve(op).ok_or("the operation is not about one container")?;
            if refusal == Refusal::AllFrom && may_panic(&action) {
                continue;
            }
            let refused = one_refusal(&mut run, &action, refusal, nth);
            is_refused |= refused.map_err(|error| format!("{op:?}, {refusal:?}, request {nth}: {error}"))?;
        }
        if !is_refused {
            return Ok(nth);
        }
    }
    unreachable!("an action makes a finite number of requests")
}

/// Which requests for memory are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refusal {
    One,
    AllFrom,
}

/// Returns `true` if the action panics for lack of memory. A panic itself needs some.
fn may_panic(action: &Action) -> bool {
    !matches!(
        action,
        Action::Put(Put::TryInsert(_) | Put::InsertAt(..) | Put::Fill(..)) | Action::Room(Room::TryReserve(_))
    )
}

/// Returns `false` if the action made fewer requests.
fn one_refusal(run: &mut Run, action: &Action, refusal: Refusal, nth: u64) -> Result<bool, String> {
    let before = run.main.listing();
    let act = |main: &mut dyn Subject| answer_of(main, action);
    let (answer, asked) = alloc::count(|| match refusal {
        Refusal::One => alloc::refuse_nth(nth, || act(&mut *run.main)),
        Refusal::AllFrom => alloc::refuse_from(nth, || act(&mut *run.main)),
    });
    if asked <= nth {
        run.judge(action, &answer)?;
        run.check()?;
    } else if failed(action, &answer)? {
        unchanged(&before, &sound_listing(&run.rig, &mut *run.main)?)?;
    } else {
        // It succeeded without the memory, so its result must be correct.
        run.judge(action, &answer)?;
    }
    let size = sound_listing(&run.rig, &mut *run.main)?.len();
    run.expect_alive(size)?;
    finds_every_slot_again(run)?;
    Ok(asked > nth)
}

/// Returns `true` if the action failed for lack of memory. Then the value must have been returned.
fn failed(action: &Action, answer: &Answer) -> Result<bool, String> {
    match (action, answer) {
        (Action::Put(Put::TryInsert(id)), Answer::Full(back)) if id == back => Ok(true),
        (Action::Put(Put::InsertAt(_, id) | Put::Fill(_, id)), Answer::Rejected(Rejection::Full, back))
            if id == back =>
        {
            Ok(true)
        }
        (Action::Room(Room::TryReserve(_)), Answer::Done(false)) => Ok(true),
        (Action::Put(Put::Insert(_) | Put::InsertWith(_) | Put::ReserveHandle), Answer::Panicked(_))
        | (Action::Room(Room::Reserve(_) | Room::ReserveExact(_)), Answer::Panicked(_)) => Ok(true),
        (_, Answer::Full(back) | Answer::Rejected(_, back)) => {
            Err(format!("{back} was returned, which is another value"))
        }
        (_, Answer::Panicked(message)) => Err(format!("panicked: {message}")),
        _ => Ok(false),
    }
}

fn unchanged(before: &Listing, after: &Listing) -> Result<(), String> {
    if before == after { Ok(()) } else { Err(format!("{before:?} became {after:?}")) }
}

/// Every free slot can be used without any memory beyond what was reserved for it.
fn finds_every_slot_again(run: &mut Run) -> Result<(), String> {
    let (before, supports) = (run.main.census(), run.rig.supports);
    if !supports.reserves {
        return refills(run);
    }
    let room = if supports.rows { room_for_rows(&before) } else { before.vacant + before.capacity - before.slots() };
    // In two parts: a reservation must be enough for the values it was made for, even if it is not
    // for all slots.
    for part in [room / 3, room - room / 3] {
        if supports.growth {
            run.main.apply(&Action::Room(Room::TryReserve(part)));
        }
        insert_without_memory(run, part)?;
    }
    let after = run.main.census();
    if (after.len, after.capacity) != (before.len + room, before.capacity) || after.vacant > 0 && !supports.rows {
        return Err(format!("{before:?} became {after:?} after {room} insertions"));
    }
    let listing = sound_listing(&run.rig, &mut *run.main)?;
    run.expect_alive(listing.len())
}

/// For containers that promise no capacity: a value can be inserted and removed as before.
fn refills(run: &mut Run) -> Result<(), String> {
    let before = sound_listing(&run.rig, &mut *run.main)?;
    let answer = run.main.apply(&Action::Put(Put::TryInsert(run.known.new_id())));
    if let Answer::Issued(name) = answer {
        run.main.apply(&Action::Out(Out::Remove(name)));
    }
    unchanged(&before, &sound_listing(&run.rig, &mut *run.main)?)?;
    run.expect_alive(before.len())
}

/// Rows and slots have capacities of their own; slots without a row use some of the reported
/// capacity.
const fn room_for_rows(census: &Census) -> usize {
    census.capacity.saturating_sub(census.len + census.pending + census.retired)
}

fn insert_without_memory(run: &mut Run, room: usize) -> Result<(), String> {
    for nth in 0..room {
        let id = run.known.new_id();
        let answer = alloc::refuse_all(|| run.main.apply(&Action::Put(Put::TryInsert(id))));
        if !matches!(answer, Answer::Issued(_)) {
            return Err(format!("{answer:?} at insertion {nth}, though there is room for {room}"));
        }
    }
    Ok(())
}
