// The customers of the demo's shop.

const FIRST =
  `زهرا فاطمه مریم سارا نرگس الهام لیلا مینا پریسا شیما نگار بهاره محمد علی رضا حسین مهدی امیر سعید بهرام کامران آرش
نیما پویا فرهاد کیان یاسمن هستی شهرام بابک`.split(/\s+/);
const LAST =
  `احمدی محمدی حسینی رضایی کریمی مرادی جعفری صادقی نوری رحیمی قاسمی یوسفی ابراهیمی شریفی کاظمی اکبری میرزایی طاهری
سلیمانی زارع باقری فرهادی نجفی`.split(/\s+/);
const CITIES = ["تهران", "مشهد", "اصفهان", "شیراز", "تبریز", "رشت", "یزد", "اهواز"];
const PREFIXES = ["0912", "0919", "0910", "0935", "0936", "0901", "0921", "0990"];
/** By these ends of numbers, a sandbox refuses, does not deliver, and delivers too late. */
const BAD_ENDS = ["901", "902", "902", "903"];

/** A number. One of thirty gets nothing. */
export function anyNumber(random) {
  const middle = String(random.integer(0, 9_999)).padStart(4, "0");
  const end = random.isTrue(1 / 30) ? random.oneOf(BAD_ENDS) : String(random.integer(100, 899));
  return `${random.oneOf(PREFIXES)}${middle}${end}`;
}

/** People with names and cities, each with a number of their own. */
export function people(random, count) {
  const known = new Map();
  while (known.size < count) {
    const number = anyNumber(random);
    known.set(number, { number, name: `${random.oneOf(FIRST)} ${random.oneOf(LAST)}`, city: random.oneOf(CITIES) });
  }
  return [...known.values()];
}

/** The people as a file of a spreadsheet. */
export const csvOf = (list) =>
  ["شماره,نام,city", ...list.map(({ number, name, city }) => `${number},${name},${city}`)].join("\n");
