//! The terms of a send: what holds for all of its recipients.

use std::borrow::Cow;

use sms::{line_number::LineNumber, price::Operation, suffix::with_suffix, text::Measured};

use super::composer::Composer;
use super::request::SendRequest;
use crate::auth::allows_line;
use crate::base::{config::Config, ports::Platform};
use crate::directory::{lines::Line, profile::Profile};
use crate::problem::Problem;
use crate::problem::field_error::{FieldError, FieldErrorKind, Step};

/// The terms of a send.
pub struct Terms<'a, 'r> {
    /// The account's plan and lines.
    pub profile: &'a Profile,
    /// The source number that the request names.
    pub source_number: Option<&'r str>,
    /// The numbers of the lines that the sender may use; `None` for all lines of the account.
    lines: Option<&'r [String]>,
    /// The path of the send in the body.
    path: &'r [Step],
    /// The settings.
    pub config: &'r Config,
    /// Whether texts are sent in their cheapest form.
    pub is_cheapest: bool,
    /// Whether a test key sends, which may rehearse errors.
    pub is_test: bool,
    /// Whether own texts go to many.
    is_to_many: bool,
}

impl<'a, 'r> Terms<'a, 'r> {
    /// The terms of a request.
    pub fn of<P: Platform>(composer: &'r Composer<'a, P>, request: &'r SendRequest) -> Self {
        Terms {
            profile: composer.profile,
            lines: composer.lines,
            source_number: request.source_number.as_deref(),
            path: &request.path,
            is_cheapest: request.is_cheapest,
            config: composer.config,
            is_test: composer.is_test(),
            is_to_many: request.order.is_to_many(),
        }
    }

    /// A fault of a member of the send's body.
    pub fn member_fault(&self, member: &str, kind: FieldErrorKind) -> FieldError {
        FieldError::of(member, kind).under(self.path)
    }

    /// A fault at a path of the send's body.
    pub fn fault_at(&self, path: Vec<Step>, kind: FieldErrorKind) -> FieldError {
        FieldError::at(path, kind).under(self.path)
    }

    /// The line to send from: the one that the request names, or the account's default. It must serve all of these
    /// operations, the sender must be allowed to use it, and it must send texts in the form that the request wants.
    pub fn line(&self, operations: &[Operation]) -> Result<&'a Line, Problem> {
        let named = match self.source_number {
            Some(number) => self.named_line(number),
            None => self
                .profile
                .default_line
                .as_deref()
                .and_then(|number| self.exact_line(number)),
        };
        let named = named.filter(|line| allows_line(self.lines, &line.number));
        let texts = operations.contains(&Operation::Webservice);
        if let Some(line) = named.filter(|line| texts && line.active && line.is_for_service()) {
            return Err(Problem::ServiceLine(line.number.clone()));
        }
        let is_usable = |line: &&Line| operations.iter().all(|operation| line.serves(*operation));
        let line = named.filter(is_usable).ok_or_else(|| Problem::HeadNumberNotFound {
            number: self.source_number.map(str::to_owned),
        })?;
        if self.is_cheapest && !line.cheapest {
            let kind = FieldErrorKind::AsItIs(line.number.clone());
            return Err(Problem::Validation(vec![self.member_fault("encoding", kind)]));
        }
        Ok(line)
    }

    /// An own text as the line sends it: if it goes to many, with the line's suffix.
    pub fn suffixed<'t>(&self, line: &Line, text: &'t str) -> Cow<'t, str> {
        let suffix = line.suffix.as_deref().filter(|_| self.is_to_many);
        let suffixed = suffix.and_then(|suffix| with_suffix(text, suffix));
        suffixed.map_or(Cow::Borrowed(text), Cow::Owned)
    }

    /// Whether a text is empty, or has nothing but what the line appends.
    pub fn says_nothing(&self, line: &Line, text: &str) -> bool {
        let suffix = line.suffix.as_deref().filter(|_| self.is_to_many);
        text.is_empty() || suffix.is_some_and(|suffix| text.trim() == suffix)
    }

    /// As [`Terms::suffixed`], measured. Too many parts are a fault of the member at this path.
    pub fn measured(
        &self,
        line: &Line,
        text: &Measured,
        path: impl FnOnce() -> Vec<Step>,
    ) -> Result<Measured, FieldError> {
        let Cow::Owned(suffixed) = self.suffixed(line, &text.text) else {
            return Ok(text.clone());
        };
        let text = Measured::of(suffixed);
        let (parts, max) = (text.segmentation.parts, self.config.max_parts);
        match parts > max {
            true => Err(self.fault_at(path(), FieldErrorKind::TooManyParts { parts, max })),
            false => Ok(text),
        }
    }

    /// The account's line whose number is written like this, whatever prefix it has. If two lines can be meant, and neither is
    /// written exactly so, none is: a guess could send from the wrong one.
    fn named_line(&self, number: &str) -> Option<&'a Line> {
        self.exact_line(number).or_else(|| {
            let named = LineNumber::parse(number)?;
            let may_be_meant = |line: &&Line| LineNumber::parse(&line.number).is_some_and(|known| known.may_be(named));
            let mut meant = self.profile.lines().filter(may_be_meant);
            meant.next().filter(|_| meant.next().is_none())
        })
    }

    fn exact_line(&self, number: &str) -> Option<&'a Line> {
        self.profile.lines().find(|line| line.number == number)
    }
}
