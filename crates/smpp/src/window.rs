//! How many messages of a session may wait for their answers. It begins with one, because a carrier that takes messages and
//! answers nothing costs a window, and grows with each answer up to the setting.
//!
//! A session that breaks while messages wait for their answers costs what is in its window. So each such break makes the next
//! windows grow more slowly, until many answers have come without another one: a carrier whose sessions break every so many
//! messages costs about one in each session, or one of 64 messages where that is less.

/// After one break the window grows by one with so many answers. Each further break doubles it, up to [`MOST_BREAKS`].
const CAREFUL_STEP: usize = 16;
/// Breaks beyond these change nothing.
const MOST_BREAKS: u32 = 5;
/// Full windows of answers in one session that make good for one break.
const WINDOWS_A_BREAK: usize = 64;

/// The window of one session.
#[derive(Debug)]
pub struct Window {
    size: usize,
    most: usize,
    /// Breaks that were not made good.
    breaks: u32,
    /// Answers since it grew last.
    answers: usize,
    /// Answers since the session began, or since a break was made good.
    unbroken: usize,
}

/// The breaks after one more.
pub fn one_more(breaks: u32) -> u32 {
    breaks.saturating_add(1).min(MOST_BREAKS)
}

impl Window {
    /// The window of a session that begins. `breaks`: those of earlier sessions that were not made good.
    pub fn of(most: usize, breaks: u32) -> Self {
        Window {
            size: 1,
            most,
            breaks: breaks.min(MOST_BREAKS),
            answers: 0,
            unbroken: 0,
        }
    }

    /// An answer came.
    pub fn grow(&mut self) {
        self.answers = self.answers.saturating_add(1);
        if self.answers >= self.step() {
            self.answers = 0;
            self.size = self.size.saturating_add(1).min(self.most);
        }
        self.unbroken = self.unbroken.saturating_add(1);
        if self.unbroken >= self.most.saturating_mul(WINDOWS_A_BREAK) {
            self.unbroken = 0;
            self.breaks = self.breaks.saturating_sub(1);
        }
    }

    fn step(&self) -> usize {
        match self.breaks.checked_sub(1) {
            None => 1,
            Some(more) => CAREFUL_STEP << more.min(MOST_BREAKS),
        }
    }

    /// How many messages may wait for their answers now.
    pub fn size(&self) -> usize {
        self.size
    }

    /// The breaks that are not made good yet.
    pub fn breaks(&self) -> u32 {
        self.breaks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A window after so many answers.
    fn after(answers: usize, breaks: u32) -> Window {
        let mut window = Window::of(50, breaks);
        (0..answers).for_each(|_| window.grow());
        window
    }

    #[test]
    fn a_window_begins_with_one_and_grows_with_each_answer_up_to_the_setting() {
        assert_eq!(
            [0, 1, 2, 48, 49, 50, 500].map(|answers| after(answers, 0).size()),
            [1, 2, 3, 49, 50, 50, 50]
        );
    }

    #[test]
    fn after_a_break_it_grows_sixteen_times_as_slowly_and_half_as_fast_after_each_more() {
        assert_eq!(
            [0, 15, 16, 32, 16 * 49, 5_000].map(|answers| after(answers, 1).size()),
            [1, 1, 2, 3, 50, 50]
        );
        assert_eq!(
            [1, 2, 3, 4, 5, 6, u32::MAX].map(|breaks| after(1_024, breaks).size()),
            [50, 33, 17, 9, 5, 5, 5]
        );
        assert_eq!([0, 4, 5, u32::MAX].map(one_more), [1, 5, 5, 5]);
    }

    #[test]
    fn answers_make_good_for_breaks_one_by_one() {
        assert_eq!(
            [0, 3_199, 3_200, 6_400, 16_000, 100_000].map(|answers| after(answers, 5).breaks()),
            [5, 5, 4, 3, 0, 0]
        );
    }

    /// What a carrier costs that ends each session with the answer to this message: lost messages of 100,000, in ten
    /// thousandths.
    fn cost(dropped_at: usize) -> usize {
        let (mut breaks, mut sent, mut lost) = (0, 0, 0);
        while sent < 100_000 {
            let mut window = Window::of(50, breaks);
            (1..dropped_at).for_each(|_| window.grow());
            (sent, lost) = (sent + dropped_at + window.size(), lost + window.size());
            breaks = one_more(window.breaks());
        }
        lost * 10_000 / sent
    }

    #[test]
    fn sessions_that_break_every_so_many_messages_cost_one_each_or_one_of_64_messages() {
        for dropped_at in [20, 50, 100, 300, 1_000, 2_000, 3_000, 3_300, 5_000, 20_000] {
            let cost = cost(dropped_at);
            eprintln!("dropped at {dropped_at}: {cost} of 10,000");
            assert!(cost <= 10_000 / 64 + 10_000 / dropped_at + 10, "{dropped_at}: {cost}");
        }
    }
}
