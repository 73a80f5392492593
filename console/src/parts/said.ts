// What a problem says to people: by its code, in the words of the page that they see. A problem speaks to programs too, of members of
// requests, headers, routes and statuses; of these nothing is left for a customer.
import type { Messages } from "../base/messages.ts";
import type { Format } from "../format/format.ts";
import { faultsOf, formOf, isTechnical, plainOf } from "./plain-words.ts";

export type Told = {
  code: number;
  detail: string;
  errors: { pointer: string; detail: string }[];
};

export type Reader = {
  isOperator: boolean;
  /** What a member may; `null` for a key, and for nobody yet. */
  role: keyof Messages["roles"] | null;
};

export type Words = { t: Messages; format: Format; span: (seconds: number) => string; reader: Reader };

type Say = (words: Words, problem: Told) => string;

const numbersIn = (text: string) => [...text.matchAll(/\d+/g)].map(([digits]) => Number(digits));

/** A day of a limit ends with that of UTC. */
function nextDay(): string {
  const day = new Date();
  day.setUTCHours(24, 0, 0, 0);
  return day.toISOString();
}

const daySpent: Say = ({ t, format }, { detail }) => {
  const [cost = 0, spent = 0, limit = 0] = numbersIn(detail).map(format.number);
  return t.problems.daySpent(`${cost}`, `${spent}`, `${limit}`, format.moment(nextDay()));
};

const noCredit: Say = ({ t, format }, { detail }) => {
  const [cost = "", left = ""] = [...detail.matchAll(/(\d+) ([A-Z]{3})/g)].map(([, amount, unit = ""]) =>
    format.money(Number(amount), unit),
  );
  return t.problems.noCredit(cost, left);
};

const noLine: Say = ({ t, format }, { detail }) => {
  const [, number] = /(\d{3,})/.exec(detail) ?? [];
  if (number === undefined) return t.problems.noLine;
  const line = `\u2066${format.digits(number)}\u2069`;
  return /service line|خدماتی/.test(detail) ? t.problems.serviceLine(line) : t.problems.otherLine(line);
};

const waits: Say = ({ t, span }, { detail }) => {
  const [, seconds] = /(\d+) (?:s\b|ثانیه)/.exec(detail) ?? [];
  return t.problems.wait(span(Number(seconds ?? 60)));
};

const noScope: Say = (words, problem) => {
  const { t, reader } = words;
  if (reader.role === null) return generally(words, problem);
  if (reader.role === "OWNER") return t.problems.refused;
  const { name, may } = t.roles[reader.role];
  return t.state.needsRole(name, may);
};

/** Each fault is a sentence of its own, and then what can be done. */
const faultsAnd =
  (advice: (t: Messages) => string): Say =>
  (words, problem) => {
    const { comma } = words.t.form;
    const said = problem.errors.map(({ detail }) => plainOf(words, detail));
    if (said.length === 0) return generally(words, problem);
    return `${shortened(words, said).join(comma)}. ${advice(words.t)}`.trim();
  };

/** How many faults of many are told. */
const told = 3;

const shortened = ({ t, format }: Words, said: string[]) =>
  said.length > told ? [...said.slice(0, told), t.problems.others(format.number(said.length - told))] : said;

const faults: Say = (words, problem) => {
  if (problem.errors.some(({ pointer }) => pointer === "/Idempotency-Key")) return words.t.compose.unanswered;
  const said = faultsOf(words, problem.errors);
  return said.length === 0 ? generally(words, problem) : shortened(words, said).join(words.t.form.comma);
};

/** Something stands against it, as the page that asks may not show yet. */
const conflict: Say = (words, { detail }) => {
  const { t, reader } = words;
  const text = plainOf(words, detail);
  if (reader.isOperator || !isTechnical(text)) return text;
  return detail.includes("SIGN_IN_ACCOUNT") ? t.problems.noSignIn : t.problems.conflict;
};

const generally: Say = (words, { detail }) => {
  const text = plainOf(words, detail);
  return !words.reader.isOperator && isTechnical(text) ? words.t.problems.refused : text;
};

const byCode: Record<number, Say> = {
  400: ({ t }) => t.problems.notUnderstood,
  401: ({ t }) => t.problems.signedOut,
  403: noScope,
  404: (words, problem) => (words.reader.isOperator ? generally(words, problem) : words.t.problems.notFound),
  405: ({ t }) => t.problems.notUnderstood,
  409: conflict,
  413: ({ t }) => t.problems.tooLarge,
  415: ({ t }) => t.problems.notUnderstood,
  422: faults,
  429: (words, problem) => `${words.t.problems.tooMany} ${waits(words, problem)}`,
  1003: ({ t }) => t.overview.inactive,
  2001: noCredit,
  2002: daySpent,
  3002: faultsAnd(() => ""),
  3012: noLine,
  3013: faultsAnd((t) => t.problems.chooseLine),
  3014: faults,
  3015: faults,
  3016: faultsAnd((t) => t.problems.blacklisted),
  3017: faultsAnd((t) => t.problems.destination),
  3018: (words, problem) => `${faultsAnd(() => "")(words, problem)} ${waits(words, problem)}`,
};

export function saidOf(words: Words, problem: Told): string {
  const text = (byCode[problem.code] ?? generally)(words, { ...problem, errors: problem.errors ?? [] });
  return text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}

/** What is wrong with the value of a field. A form that only programs read is told in words. */
export const faultIn = (t: Messages, detail: string): string => formOf(t, detail) ?? detail.replaceAll("`", "");
