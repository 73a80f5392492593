// Texts and numbers as people write them, from a seed.

const LETTERS = {
  persian: [..."ابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهیآئءيك", " ", " ", "\u200C", "،", "؟", "۱", "۲", "۰", "…", "!"],
  english: [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0123456789", " ", " ", " ", ".", ",", "'", "-"],
  emoji: ["😀", "🎉", "👨‍👩‍👧", "🇮🇷", "❤️", "سلام ", "ok ", "\u{1F44D}"],
  escapes: [..."^{}\\[~]|€", "a", "b", " ", "\f"],
  lookAlikes: [..."“”‘’–—…", "\t", "\u00A0", "۴", "٤", "a", "b", "c", " ", "new "],
  lines: ["\n", "\r\n", "\r", " \n", "end", "پایان", "\uFEFF", "\u0640", "\u200F", "é", "e\u0301", "ا\u0653"],
};
const KINDS = Object.keys(LETTERS);
/** Lengths at which one kind of parts ends, and some between. */
const LENGTHS = [1, 5, 20, 35, 66, 67, 68, 70, 71, 134, 135, 153, 159, 160, 161, 201, 306, 307, 459, 600, 680, 1_540];

/** A text of one kind of characters, or of all. It has more than blanks. */
export function anyText(random) {
  const kinds = random.isTrue(0.3) ? KINDS : [random.oneOf(KINDS)];
  const length = random.oneOf(LENGTHS) + random.integer(0, 2);
  const word = random.oneOf(["سلام", "Hello", "https://x.ir/a–b "]);
  const letters = Array.from({ length }, () => random.oneOf(LETTERS[random.oneOf(kinds)]));
  return [word, ...letters].join("");
}

const DIGITS = ["0123456789", "۰۱۲۳۴۵۶۷۸۹", "٠١٢٣٤٥٦٧٨٩"];
const SEPARATORS = ["", "", "", " ", "-", ".", "\u200E", "\u00A0", "–"];
const MOBILE_PREFIXES = ["912", "919", "990", "994", "935", "901", "903", "921", "920", "932", "998", "99810", "934"];
/** The beginnings of numbers abroad: with a price, with a price of a range, without one, and where the account does not send. */
const ABROAD = ["971", "447", "447911", "1", "33", "90"];
const FAULTY = [
  "",
  "abc",
  "0912",
  "09121234567890123456",
  "447911123456",
  "+98912",
  "9812345",
  "0912a234567",
  "++989121234567",
];

const digitsOf = (random, count) => Array.from({ length: count }, () => random.integer(0, 9)).join("");

/** A number that is one, in one of the forms that people write. */
function goodNumber(random) {
  if (random.isTrue(0.15)) {
    const number = `${random.oneOf(ABROAD)}${digitsOf(random, 12)}`.slice(0, 12);
    return `${random.oneOf(["+", "00"])}${number}`;
  }
  if (random.isTrue(0.05)) return `${random.oneOf(["021", "051", "+9821"])}${digitsOf(random, 8)}`;
  const prefix = random.oneOf(MOBILE_PREFIXES);
  const national = prefix + digitsOf(random, 10 - prefix.length);
  return `${random.oneOf(["0", "", "98", "+98", "0098"])}${national}`;
}

/** A number with other digits, and with what separates them. */
function written(random, number) {
  const digits = random.oneOf(DIGITS);
  const characters = [...number].map((character) => (/\d/.test(character) ? digits[Number(character)] : character));
  return characters.join(random.isTrue(0.3) ? random.oneOf(SEPARATORS) : "");
}

/** Some numbers. Some come twice, and some are none. */
export function anyNumbers(random) {
  const numbers = Array.from({ length: random.integer(1, 12) }, () => goodNumber(random));
  if (random.isTrue(0.3)) numbers.push(numbers[0]);
  const forms = numbers.map((number) => written(random, number));
  if (random.isTrue(0.15)) forms.splice(random.integer(0, forms.length), 0, random.oneOf(FAULTY));
  return forms;
}
