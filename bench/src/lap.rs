//! Timing many small steps one by one, on a machine that others use too.

use std::time::{Duration, Instant};

/// Longer steps are looked at closely: another program may have had the processor meanwhile.
const SUSPICIOUS: Duration = Duration::from_micros(5);
/// The two clocks are compared at least so often, so that they cannot drift apart.
const STEPS: u32 = 1_024;

/// A watch that stands still while others have the processor.
///
/// Asking how long a thread has run takes longer than a step, so that is done after long steps
/// only. As one step ends where the next begins, whatever time was lost since the last question was
/// lost in the step that was long.
pub struct Laps {
    last: Instant,
    asked: (Instant, Duration),
    steps: u32,
}

impl Laps {
    pub fn start() -> Self {
        let asked = ask();
        Laps { last: asked.0, asked, steps: 0 }
    }

    /// How long the step took that ends now.
    #[inline]
    pub fn lap(&mut self) -> Duration {
        let now = Instant::now();
        let took = now - self.last;
        self.last = now;
        self.steps += 1;
        if took >= SUSPICIOUS || self.steps == STEPS { self.correct(took) } else { took }
    }

    #[cold]
    fn correct(&mut self, took: Duration) -> Duration {
        let (asked, ran) = ask();
        let passed = self.last - self.asked.0;
        let lost = passed.saturating_sub(ran - self.asked.1);
        *self = Laps { last: asked, asked: (asked, ran), steps: 0 };
        took.saturating_sub(lost)
    }
}

/// How long the thread has run, and the time when that was said.
fn ask() -> (Instant, Duration) {
    let ran = ran();
    (Instant::now(), ran)
}

#[cfg(unix)]
fn ran() -> Duration {
    let ran = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(ran.tv_sec.unsigned_abs(), ran.tv_nsec as u32)
}

/// Where nobody knows, nothing is lost.
#[cfg(not(unix))]
fn ran() -> Duration {
    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    START.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn sleep_does_not_count_and_work_does() {
        let mut laps = Laps::start();
        std::thread::sleep(Duration::from_millis(20));
        assert!(laps.lap() < Duration::from_millis(10));
        let (start, mut work) = (ran(), 0_u64);
        while ran() - start < Duration::from_millis(5) {
            work += 1;
        }
        assert!(laps.lap() > Duration::from_millis(4), "{work}");
    }
}
