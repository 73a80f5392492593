// What the demo's shop sends in a day.
import { askToForget, forget } from "./beside.mjs";
import { campaign } from "./campaigns.mjs";
import { anyNumber } from "./people.mjs";
import { CODES_LINE } from "./shop.mjs";

const NEWS = [
  "حراج آخر هفته‌ی نارنج: ۲۰٪ تخفیف برای همه‌ی شیرینی‌ها. تا جمعه شب.",
  "ساعت کار فروشگاه در تعطیلات: ۱۰ تا ۲۲. منتظر شما هستیم.",
  "محصولات تازه رسید! ببینید: https://narenj.example/new",
  "Weekend sale: 20% off all sweets until Friday night. Narenj shop",
];
const CAMPAIGNS = [
  "%name% عزیز، کد تخفیف ویژه‌ی شما: NARENJ20. تا پایان هفته در فروشگاه نارنج معتبر است.",
  "سلام %name%، جشنواره‌ی پاییزی نارنج شروع شد. ارسال رایگان برای خریدهای بالای ۵ میلیون ریال، فقط تا شنبه.",
];
const FROM_PHONES = [
  "سفارش من کی می‌رسد؟",
  "ممنون، رسید.",
  "ساعت کاری شما؟",
  "آدرس فروشگاه را لطف می‌کنید؟",
  "Where is my order?",
];
const OPT_OUT = "لغو11";
/** Of sends by codes, so many are not typed in. */
const FORGOTTEN = 0.2;
/** On Fridays the shop sends less. */
const FRIDAY = 5;
/** The day on which the text to all customers is a campaign. */
const CAMPAIGN = 23;
/** The day on which somebody asks to be forgotten. */
const ASKED = 27;

const orderOf = (random) => String(random.integer(10_000, 99_999));
const amountOf = (random) => `${random.integer(5, 90)}00000`;

/** Some of a list, each once. */
function some(random, list, count) {
  const left = [...list];
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(random.integer(0, left.length - 1), 1)[0],
  );
}

/**
 * The moments of a day, in their order, each with the minute of the day (UTC) and what is done at once. A work may return another one,
 * for some seconds later.
 */
export function momentsOf(day, shop, random) {
  const isQuiet = day.date.getUTCDay() === FRIDAY;
  const times = isQuiet ? 1 : 2;
  const at = (hour, minute) => hour * 60 + minute + random.integer(0, 40);
  return [
    { minute: at(5, 30), works: [...codes(times, shop, random), orders(shop, random)] },
    { minute: at(8, 50), works: [news(shop, random, isQuiet ? 8 : 25), ...fromPhones(times, shop, random)] },
    { minute: at(13, 10), works: [...codes(times, shop, random), orders(shop, random), ...weekly(day, shop, random)] },
    { minute: at(16, 20), works: [news(shop, random, isQuiet ? 5 : 15), bulk(shop, random)] },
  ];
}

function codes(count, shop, random) {
  // Nobody gets two codes within seconds.
  return some(random, shop.customers, count).map(({ number: recipient }) => {
    const isForgotten = random.isTrue(FORGOTTEN);
    return async () => {
      const { id, recipient: number } = await shop.api("POST", "/verify", { recipient, sourceNumber: CODES_LINE });
      const [code] = /\d{6}/.exec(await shop.textTo(number));
      return isForgotten ? null : () => shop.api("POST", "/verify/check", { id, code });
    };
  });
}

const orders = (shop, random) => () => {
  const ORDER = orderOf(random);
  const filled = random.oneOf([
    { pattern: "order-paid", variables: { ORDER, AMOUNT: amountOf(random) } },
    { pattern: "order-sent", variables: { ORDER, TRACK: orderOf(random) } },
    { pattern: "receipt", variables: { ORDER, AMOUNT: amountOf(random) } },
  ]);
  const recipient = random.oneOf(shop.customers).number;
  return shop.api("POST", "/sms/pattern", { ...filled, recipient, clientRef: `order-${ORDER}` });
};

const news = (shop, random, most) => () => {
  const known = some(random, shop.customers, random.integer(3, most)).map(({ number }) => number);
  const recipients = [...known, anyNumber(random), anyNumber(random)];
  return shop.api("POST", "/sms/send", { message: random.oneOf(NEWS), recipients });
};

const bulk = (shop, random) => () => {
  const messages = some(random, shop.customers, random.integer(2, 6)).map(({ number, name }) => ({
    recipient: number,
    message: `${name} عزیز، سفارش ${orderOf(random)} آماده‌ی تحویل است.`,
  }));
  return shop.api("POST", "/sms/bulk", { messages });
};

function fromPhones(count, shop, random) {
  const texts = Array.from({ length: count }, () => [random.oneOf(shop.customers).number, random.oneOf(FROM_PHONES)]);
  // Who wants nothing any more is no customer: a phonebook with such a number would be sent to others only.
  if (random.isTrue(0.15)) texts.push([anyNumber(random), OPT_OUT]);
  return texts.map(
    ([from, text]) =>
      () =>
        shop.receive({ from, to: CODES_LINE, text }),
  );
}

/** What is not done each day: a campaign, money, a send that is called off, a number that is to be forgotten. */
function weekly({ index }, shop, random) {
  const works = [];
  if (index % 7 === 2) works.push(() => toAll(shop, random.oneOf(CAMPAIGNS), index === CAMPAIGN));
  if (index % 7 === 5) works.push(() => shop.credit(1_000_000, "واریز بانکی"));
  if (index % 9 === 4) works.push(() => callOff(shop));
  if (index === ASKED) works.push(() => askToForget(shop));
  if (index === ASKED + 1) works.push(() => forget(shop));
  return works;
}

/** A text to all customers: as a message, or as a campaign. */
const toAll = (shop, message, isCampaign) =>
  isCampaign
    ? campaign(shop, message)
    : shop.api("POST", "/sms/phonebook/send", { message, phonebook: shop.phonebook });

async function callOff(shop) {
  const sendAt = new Date(shop.now() + 7_200_000).toISOString();
  const recipients = shop.customers.slice(0, 12).map(({ number }) => number);
  const { uid } = await shop.api("POST", "/sms/send", { message: NEWS[1], recipients, sendAt });
  await shop.api("DELETE", `/messages/${uid}`);
}

/** What waits for its time when the history ends. */
export function toCome(shop) {
  const sendAt = new Date(shop.now() + 20 * 3_600_000).toISOString();
  const recipients = shop.customers.slice(0, 40).map(({ number }) => number);
  return shop.api("POST", "/sms/send", { message: NEWS[0], recipients, sendAt });
}
