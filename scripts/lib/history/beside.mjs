// What the demo's shop has beside its messages: people who sign in, keys of its programs, one that hears of events, and who wants nothing.
import { CODES_LINE } from "./shop.mjs";

const owner = { phone: "09121110001", name: "سارا احمدی", role: "OWNER" };
const staff = [
  { phone: "09351110002", name: "علی کریمی", role: "SENDER" },
  { phone: "09191110003", name: "مینا نوری", role: "FINANCE" },
  { phone: "09011110004", name: "رضا مرادی", role: "VIEWER" },
];
const keys = [
  { title: "web shop", scopes: ["sms:send", "sms:read"] },
  { title: "login codes", scopes: ["verify"] },
  { title: "trial", mode: "test", scopes: ["sms:send", "sms:read"] },
];
/** None of these is a customer, and nothing else is sent to them. */
const blocked = "09121110050";
const forgotten = "09351110051";

/** Makes what is there from the first day. Returns the id of the webhook, whose receiver is at `receiverUrl`. */
export async function openAccount({ admin, api, accountId }, receiverUrl) {
  // Nobody is at these phones who could accept an invitation.
  await admin("POST", `/accounts/${accountId}/members`, { ...owner, invite: false });
  for (const member of staff) await api("POST", "/members", { ...member, invite: false });
  for (const key of keys) await api("POST", "/keys", key);
  await api("POST", "/blacklist", { numbers: [blocked] });
  const events = ["verify.status", "message.received"];
  const { id } = await api("POST", "/webhook", { url: receiverUrl, events, description: "Online shop" });
  return id;
}

/** Somebody asks to be forgotten, and is so a day later. */
export const askToForget = async (shop) => {
  await shop.api("POST", "/sms/send", { message: "سفارش شما آماده‌ی تحویل است.", recipients: [forgotten] });
  await shop.receive({ from: forgotten, to: CODES_LINE, text: "لطفاً شماره‌ی مرا پاک کنید." });
};
export const forget = (shop) => shop.api("POST", "/erasures", { number: forgotten });

/** After the last day nobody listens at the address of the webhook any more. Until then it gets all that it is to get. */
export async function closeWebhook({ api, webhook }, until) {
  await until(async () => {
    const deliveries = await api("GET", `/webhook/${webhook}/deliveries`);
    return deliveries.every(({ status }) => status === "DELIVERED");
  }, "the last delivery of the webhook");
  await api("PUT", `/webhook/${webhook}`, { active: false });
}
