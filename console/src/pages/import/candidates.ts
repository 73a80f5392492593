// Which columns of a table have phone numbers, and which of them people are most likely to be reached at.
import { isIranianMobile, isScientific, numberOf } from "../compose/numbers.ts";
import type { Row } from "./table.ts";

/** The titles by which the service knows the number. */
export const numberTitles = new Set(
  "number,phone,mobile,msisdn,cell,tel,telephone,phonenumber,mobilenumber,cellphone,mobilephone,phoneno,mobileno,شماره,موبایل,همراه,تلفن,شمارهموبایل,شمارههمراه,شمارهتماس,شمارهتلفن,تلفنهمراه,شمارهتلفنهمراه".split(
    ",",
  ),
);
/** What the title of a column with mobiles has. */
const mobileWords = /mobile|cell|موبایل|همراه/;

/** A title as the service compares it: its letters and digits alone, each as one of the ways to write it (`crates/sms/src/words.rs`). */
export const plain = (title: string) =>
  title
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[يىېۍ]/g, "ی")
    .replace(/[كڪ]/g, "ک")
    .replace(/[ةۀەہۂھ]/g, "ه")
    .replace(/[أإٱآ]/g, "ا")
    .replaceAll("ؤ", "و")
    .replace(/[^\p{Alphabetic}\p{Nd}]|\p{M}|\u0640/gu, "");

/** A phone number, or what a spreadsheet has made of one. */
export const looksLikeNumber = (cell: string) => numberOf(cell) !== null || isScientific(cell);

export type Candidate = {
  place: number;
  /** Whether more than half of what it has are phone numbers. */
  isOfNumbers: boolean;
};

/** The columns with any phone number. Mobiles go before landlines, then more numbers before fewer, then a title that says so. */
export function candidatesOf(titles: string[], sample: Row[]): Candidate[] {
  const count = Math.max(0, ...sample.map(({ cells }) => cells.length));
  return Array.from({ length: count }, (_, place) => {
    const cells = sample.map(({ cells }) => cells[place] ?? "").filter((cell) => cell !== "");
    return { place, ...worthOf(plain(titles[place] ?? ""), cells) };
  })
    .filter(({ found }) => found > 0)
    .sort((one, other) => other.worth - one.worth);
}

/** No table has so many rows to look at. */
const beforeAll = 1_000_000;

function worthOf(title: string, cells: string[]) {
  const found = cells.filter(looksLikeNumber).length;
  const mobiles = cells.filter((cell) => isIranianMobile(numberOf(cell) ?? "") || isScientific(cell)).length;
  const isTitledMobile = mobileWords.test(title);
  const isOfMobiles = found > 0 && (mobiles * 2 > found || isTitledMobile);
  const titled = (numberTitles.has(title) ? 0.5 : 0) + (isTitledMobile ? 0.25 : 0);
  const worth = (isOfMobiles ? beforeAll + mobiles : found) + titled;
  return { found, worth, isOfNumbers: found * 2 > cells.length };
}
