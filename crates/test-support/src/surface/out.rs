//! Taking values out.

macro_rules! out {
    ($pool:expr, $out:expr) => {{
        use $crate::action::{Ending, Out};
        use $crate::answer::Answer;
        use $crate::path::consume;
        use $crate::surface::{collect, list};
        use $crate::{Tracked, fuse};

        match $out {
            Out::Remove(name) => Answer::Value($pool.remove(*name).as_ref().map(Tracked::id)),
            Out::Take(name) => Answer::Value($pool.take(*name).as_ref().map(Tracked::id)),
            Out::Drain(path, ending) => {
                // Not mapped: the drain itself must be dropped or forgotten, and its `fold` is what is tested.
                match consume($pool.drain(), *path) {
                    Ok((items, rest)) => {
                        let listed = list(&items);
                        match ending {
                            Ending::Forget => std::mem::forget(rest),
                            Ending::Drop => drop(rest),
                        }
                        drop(items);
                        Answer::Items(listed)
                    }
                    Err(wrong) => Answer::Wrong(wrong),
                }
            }
            Out::Extract(rule, limit) => {
                let condemn = |_, value: &mut Tracked| {
                    fuse::burn();
                    rule.says(value.id())
                };
                let items = collect($pool.extract_if(condemn).take(*limit));
                let listed = list(&items);
                drop(items);
                Answer::Items(listed)
            }
            Out::Retain(rule) => {
                $pool.retain(|_, value| {
                    fuse::burn();
                    rule.says(value.id())
                });
                Answer::Done(true)
            }
            Out::Clear => {
                $pool.clear();
                Answer::Done(true)
            }
        }
    }};
}
pub(crate) use out;
