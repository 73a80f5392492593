// Tables as people have them, with all that is wrong in such, for the tests of an import.
import { randomFrom } from "../../scripts/lib/base/random.mjs";

const persian = (text) => text.replace(/\d/g, (digit) => "۰۱۲۳۴۵۶۷۸۹"[digit]);

/** How people write a number such as 09121234567. */
const forms = [
  (number) => number,
  (number) => `+98 ${number.slice(1, 4)} ${number.slice(4)}`,
  persian,
  (number) => ` ${number.slice(0, 4)}-${number.slice(4)} `,
  (number) => `"${number}"`,
];
const noNumbers = ["-", "0912", "n/a", "9.12E+09", "۰۹۱۲"];
const names = ['"Rezaei, Ali"', "سارا محمدی", "Reza", '"Maryam ""M"" Karimi"', ""];
const cities = ["تهران", "Isfahan", ""];
const nothing = ["", ",,", "   "];

/** None ends as those do that a sandbox does not deliver to: 901 to 904. */
const numberAt = (place) =>
  `${["0912", "0935", "0921"][place % 3]}${1_000_000 + Math.floor(place / 900) * 1_000 + (place % 900)}`;

/**
 * A file with so many lines that have something beside the one of titles. `numbers` are those that a phonebook has of it, each
 * once, and `bad` the lines that have none.
 */
export function messyTable(lines, seed) {
  const random = randomFrom(seed);
  const rows = ["Customer,Mobile,City"];
  const numbers = new Set();
  const bad = [];
  for (let index = 0; index < lines; index += 1) {
    if (random.integer(1, 40) === 1) rows.push(random.oneOf(nothing));
    const place = random.integer(1, 30) === 1 ? random.integer(0, index) : index;
    const number = numberAt(place);
    const isBad = random.integer(1, 100) === 1;
    if (isBad) bad.push(rows.length + 1);
    else numbers.add(`+98${number.slice(1)}`);
    const cell = isBad ? random.oneOf(noNumbers) : random.oneOf(forms)(number);
    rows.push([random.oneOf(names), cell, random.oneOf(cities)].join(","));
  }
  return { text: `\ufeff${rows.join("\r\n")}`, numbers, bad };
}

/** A file as a browser gets it from a person who chooses one. */
export const fileOf = (text, name = "customers.csv") => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
