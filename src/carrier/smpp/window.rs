//! How many messages of a session may wait for their answers. It begins with one, because a carrier that takes messages and
//! answers nothing costs a window, and grows with each answer up to the setting.

/// After a session that was lost while messages waited for their answers, the window grows by one with so many answers, until
/// it is full again.
const CAREFUL_STEP: usize = 16;

#[derive(Debug)]
pub struct Window {
    size: usize,
    most: usize,
    /// Answers by which it grows by one.
    step: usize,
    answers: usize,
}

impl Window {
    pub fn of(most: usize, is_careful: bool) -> Self {
        Window {
            size: 1,
            most,
            step: if is_careful { CAREFUL_STEP } else { 1 },
            answers: 0,
        }
    }

    /// An answer came.
    pub fn grow(&mut self) {
        self.answers = self.answers.saturating_add(1);
        if self.answers >= self.step {
            self.answers = 0;
            self.size = self.size.saturating_add(1).min(self.most);
        }
    }

    pub fn size(&self) -> usize {
        self.size
    }

    pub fn is_full_size(&self) -> bool {
        self.size >= self.most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The size of a window after so many answers.
    fn after(answers: usize, is_careful: bool) -> usize {
        let mut window = Window::of(50, is_careful);
        (0..answers).for_each(|_| window.grow());
        window.size()
    }

    #[test]
    fn a_window_begins_with_one_and_grows_with_each_answer_up_to_the_setting() {
        assert_eq!(
            [0, 1, 2, 48, 49, 50, 500].map(|answers| after(answers, false)),
            [1, 2, 3, 49, 50, 50, 50]
        );
    }

    #[test]
    fn after_a_loss_it_grows_sixteen_times_as_slowly() {
        assert_eq!(
            [0, 15, 16, 32, 16 * 49, 5_000].map(|answers| after(answers, true)),
            [1, 1, 2, 3, 50, 50]
        );
    }
}
