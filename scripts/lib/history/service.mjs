// What the demo's service has beside the demo account: the people who run it, another plan, other customers, and a person who asked
// to be forgotten.

/** Credits above it wait for a second operator. The demo account gets smaller ones. */
export const CREDIT_APPROVAL_ABOVE = "10000000";

const plan = {
  slug: "wholesale",
  title: "عمده",
  tariff: { slug: "wholesale", title: "عمده", price: 850, prices: [{ prefix: "971", price: 9_000 }] },
};
const operators = [
  { phone: "09121110021", name: "سارا احمدی", scopes: ["admin"] },
  { phone: "09351110022", name: "علی کریمی", scopes: ["admin:read", "admin:accounts"] },
];
const clinic = { username: "mehr-clinic", fullName: "کلینیک مهر", plan: plan.slug };
const owner = { phone: "09191110023", name: "مینا نوری", role: "OWNER" };
const school = { username: "alborz", fullName: "آموزشگاه البرز", plan: "demo" };
const REMINDER = "یادآوری نوبت: فردا ساعت ۱۰، کلینیک مهر. لغو نوبت: ۰۲۱۸۸۷۷۰۰۰۰";

/** Makes it all. Returns the clinic with what asks the API as its program, and as who does the money of the service. */
export async function openService({ admin, as, defaultLine }) {
  await admin("POST", "/plans", plan);
  for (const operator of operators) await admin("POST", "/members", operator);
  const { key: finance } = await admin("POST", "/keys", { title: "مالی", scopes: ["admin:read", "admin:money"] });
  const { id } = await admin("POST", "/accounts", clinic);
  const account = `/accounts/${id}`;
  await admin("PATCH", account, { defaultLine, dailySpend: 500_000 });
  await admin("POST", `${account}/members`, { ...owner, invite: false });
  await admin("POST", `${account}/credit`, { amount: 2_000_000, note: "فاکتور ۱۴" });
  const { key } = await admin("POST", `${account}/keys`, { title: "نوبت‌دهی", scopes: ["sms:send", "account:read"] });
  const other = await admin("POST", "/accounts", school);
  await admin("PATCH", `/accounts/${other.id}`, { status: "INACTIVE" });
  return { id, api: as(key), finance: as(finance) };
}

/** The clinic's patients of tomorrow. */
export const remind = (clinic, recipients) => clinic.api("POST", "/sms/send", { message: REMINDER, recipients });

/** What is not done yet when the history ends: a credit that a second operator has to approve, and an erasure. */
export async function toDo({ admin }, { id, finance }) {
  await finance("POST", `/admin/accounts/${id}/credit`, { amount: 25_000_000, note: "قرارداد سالانه" });
  await admin("POST", "/erasures", { number: "09121110099" });
}
