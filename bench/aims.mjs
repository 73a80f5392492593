/** The forms of numbers in the report. */
export const number = (value, digits = 0) =>
  value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
export const ratio = (value) => `${number(value, 2)} ×`;

/** What is to be reached at least or at most, and what was reached. `form` writes a number. */
export const atLeast = (bound, what, value, form) => ({
  what,
  reached: form(value),
  aim: `≥ ${form(bound)}`,
  isReached: value >= bound,
});
export const atMost = (bound, what, value, form) => ({
  what,
  reached: form(value),
  aim: `≤ ${form(bound)}`,
  isReached: value <= bound,
});
