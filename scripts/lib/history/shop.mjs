// What the demo's shop has before its first day: a phonebook, patterns, and a second carrier with a line.
import { csvOf } from "./people.mjs";

export const CODES_LINE = "98300";
const CARRIER = "gateway";

const patterns = [
  { slug: "order-paid", title: "ثبت سفارش", text: "سفارش %ORDER% ثبت شد. مبلغ: %AMOUNT% ریال. فروشگاه نارنج" },
  { slug: "order-sent", title: "ارسال سفارش", text: "سفارش %ORDER% به پست داده شد. کد پیگیری: %TRACK%" },
  { slug: "welcome", title: "خوش‌آمد", text: "%NAME% عزیز، به فروشگاه نارنج خوش آمدید." },
  { slug: "receipt", title: "Receipt", text: "Order %ORDER% is paid: %AMOUNT% IRR. Thank you." },
];

/** Makes it all. Returns the id of the phonebook and the path on which the carrier's gateway brings messages from phones. */
export async function openShop({ admin, api, accountId }, { gatewayUrl, customers }) {
  const http = { url: gatewayUrl, username: "peyk", password: "demo", allowPlaintext: true };
  await admin("POST", "/carriers", { name: CARRIER, kind: "http", http });
  const operations = ["WEBSERVICE", "PATTERN"];
  await admin("POST", "/lines", { number: CODES_LINE, carrier: CARRIER, operations, accounts: [accountId] });
  await admin("PUT", `/lines/${CODES_LINE}/inbound`, { account: accountId });
  for (const pattern of patterns) {
    await api("POST", "/pattern", pattern);
    await api("POST", `/pattern/${pattern.slug}/versions/1/activate`);
  }
  await api("POST", "/pattern", { slug: "birthday", title: "تولد", text: "%NAME% عزیز، تولدتان مبارک! هدیه: %CODE%" });
  const { id } = await api("POST", "/phonebook", { title: "مشتریان", description: "همه‌ی کسانی که سفارش داده‌اند." });
  await api("POST", `/phonebook/${id}/import`, undefined, csvOf(customers));
  const { inboundUrl } = await admin("GET", `/carriers/${CARRIER}`);
  const { pathname, search } = new URL(inboundUrl);
  return { phonebook: id, inboundPath: pathname + search };
}

/** After the last day nobody answers at the carrier's address any more. */
export const closeGateway = ({ admin }) => admin("PATCH", `/carriers/${CARRIER}`, { paused: true });
