// What each page of a customer has to show of the demo's data. A row has an address of its page as a sample, and `about`, which reads
// from the API what stands there now: the address itself, the heading, the texts, and a link that leads on.

const DAY_MS = 86_400_000;
const dateOf = (ms) => new Date(ms).toISOString().slice(0, 10);
const sum = (list, of) => list.reduce((all, one) => all + of(one), 0);

const erased = (t, text) => (text === "erased" ? t.state.erased : text);
const textOf = (t, message) => erased(t, message.message ?? t.messages.bulk);
const timeOf = ({ sendAt, createdAt }) => sendAt ?? createdAt;
/** A message of which nothing has left has cost nothing. */
const costOf = ({ status, cost }) => (status === "CANCELED" ? 0 : cost);
/** A link of the content to an address that begins so. */
const linkTo = (address) => (page) => page.locator(`#content a[href^="#${address}"]`).first();

async function usageOf(get) {
  const today = dateOf(Date.now());
  const days = await get(`/account/usage?from=${dateOf(Date.now() - 29 * DAY_MS)}&to=${today}`);
  const spent = ({ live: { cost, returned } }) => cost - returned;
  const count = (...names) => sum(days, ({ live }) => sum(names, (name) => live.statuses[name]));
  const simulated = sum(days, (day) => day.simulated);
  const delivered = count("DELIVERED");
  const failed = count("UNDELIVERED", "EXPIRED", "REJECTED");
  return {
    sent: sum(days, ({ live }) => live.recipients),
    simulated,
    rate: delivered / (delivered + failed),
    spent: sum(days, spent),
    spentToday: sum(
      days.filter(({ date }) => date === today),
      spent,
    ),
  };
}

async function overview({ get, t, format }) {
  const { wallet } = await get("/account/info");
  const { sent, simulated, rate, spent, spentToday } = await usageOf(get);
  const { operators, reasons } = await get("/account/outcomes");
  const [next] = await get("/messages?status=SCHEDULED");
  const money = (amount) => format.money(amount, wallet.unit);
  const ends = operators.flatMap(({ operator, delivered }) => [t.operators[operator], format.number(delivered)]);
  const why = reasons.map(({ reason }) => t.reasons[reason]);
  return {
    title: t.overview.title,
    shows: [
      ...[money(wallet.availableBalance), t.overview.locked(money(wallet.lockedBalance))],
      ...[format.number(sent), format.percent(rate), t.overview.spentOf(money(spent), money(spentToday))],
      ...(simulated > 0 ? [t.overview.rateSimulated(format.number(simulated))] : []),
      ...[t.overview.byOperator, ...ends, t.overview.byReason, ...why, textOf(t, next), format.moment(next.sendAt)],
    ],
    leads: { link: linkTo("/messages/"), to: `#/messages/${next.uid}`, title: t.message.title },
  };
}

async function messages({ get, t, format }) {
  const list = await get("/messages");
  return {
    title: t.messages.title,
    shows: list.flatMap((message) => [
      textOf(t, message),
      ...[t.statuses[message.status], t.types[message.type], format.number(message.recipientCount)],
      ...[format.money(costOf(message), message.unit), format.moment(timeOf(message))],
    ]),
    leads: { link: linkTo("/messages/"), to: `#/messages/${list[0].uid}`, title: t.message.title },
  };
}

async function message({ get, t, format }) {
  const [{ uid }] = await get("/messages?type=PHONEBOOK");
  const { message, counts, cost, returned, unit, recipientCount } = await get(`/messages/${uid}`);
  const recipients = await get(`/messages/${uid}/recipients`);
  const ended = sum(["DELIVERED", "UNDELIVERED", "EXPIRED", "REJECTED"], (status) => counts[status] ?? 0);
  return {
    hash: `#/messages/${uid}`,
    title: t.message.title,
    shows: [
      ...[message, uid, format.money(cost - returned, unit)],
      t.message.ended(format.number(ended), format.number(recipientCount)),
      ...Object.entries(counts).map(([status, count]) => `${t.recipientStatuses[status]} ${format.number(count)}`),
      ...recipients.flatMap(({ recipient, message }) => [format.phone(recipient), message]),
    ],
    leads: { link: linkTo("/messages"), to: "#/messages", title: t.messages.title },
  };
}

/** What a campaign has cost. */
const netOf = ({ progress: { cost, returned } }) => cost - returned;

async function campaigns({ get, t, format }) {
  const list = await get("/campaigns");
  return {
    title: t.campaigns.title,
    shows: list.flatMap((campaign) => [
      ...[campaign.title, t.campaigns.states[campaign.state], format.number(campaign.counted.people)],
      ...[format.number(campaign.progress.delivered), format.money(netOf(campaign), campaign.unit)],
    ]),
    leads: { link: linkTo(`/campaigns/${list[0].id}`), to: `#/campaigns/${list[0].id}`, title: list[0].title },
  };
}

async function campaign({ get, t, format }) {
  const { id } = (await get("/campaigns")).find(({ state }) => state === "DONE");
  const found = await get(`/campaigns/${id}`);
  const { title, message, progress, unit, simulated } = found;
  const recipients = await get(`/campaigns/${id}/recipients`);
  return {
    hash: `#/campaigns/${id}`,
    title,
    shows: [
      ...[message, t.campaigns.meaning.DONE, format.money(netOf(found), unit)],
      t.campaign.sent(...[progress.recipients, progress.recipients].map(format.number)),
      `${simulated ? t.messages.simulatedAs(t.campaign.shares.delivered) : t.campaign.shares.delivered} ${format.number(progress.delivered)}`,
      ...recipients.map(({ recipient }) => format.phone(recipient)),
    ],
    leads: { link: linkTo("/messages/"), to: "#/messages/", title: t.message.title },
  };
}

async function campaignEdit({ get, t }) {
  const { id, title } = (await get("/campaigns")).find(({ state }) => state === "DONE");
  return {
    hash: `#/campaigns/${id}/edit`,
    title: t.campaign.editTitle(title),
    shows: [t.campaign.notEditable],
    leads: { link: linkTo(`/campaigns/${id}`), to: `#/campaigns/${id}`, title },
  };
}

async function campaignCopy({ get, t }) {
  const { id, title } = (await get("/campaigns")).find(({ state }) => state === "DONE");
  return {
    hash: `#/campaigns/${id}/copy`,
    title: t.campaign.copyTitle(title),
    shows: [t.campaign.copyHint, t.newCampaign.saveHint],
    leads: { link: linkTo(`/campaigns/${id}`), to: `#/campaigns/${id}`, title },
  };
}

async function newCampaign({ get, t, format }) {
  const [{ title, count }] = await get("/phonebook");
  return {
    title: t.newCampaign.title,
    shows: [title, t.phonebook.numbers(format.number(count)), t.newCampaign.saveHint],
  };
}

async function phonebooks({ get, t, format }) {
  const list = await get("/phonebook");
  return {
    title: t.phonebooks.title,
    shows: list.flatMap(({ title, description, count }) => [title, description, format.number(count)]),
    leads: { link: linkTo("/phonebooks/"), to: `#/phonebooks/${list[0].id}`, title: list[0].title },
  };
}

async function phonebook({ get, t, format }) {
  const [{ id, title, description, count }] = await get("/phonebook");
  const numbers = await get(`/phonebook/number/${id}`);
  return {
    hash: `#/phonebooks/${id}`,
    title,
    shows: [
      ...[description, t.phonebook.numbers(format.number(count))],
      ...numbers.flatMap(({ number, name, attributes }) => [format.phone(number), name, `city ${attributes.city}`]),
    ],
    leads: { link: linkTo(`/phonebooks/${id}/import`), to: `#/phonebooks/${id}/import`, title: t.importing.title },
  };
}

async function importing({ get, t }) {
  const [{ id, title }] = await get("/phonebook");
  return {
    hash: `#/phonebooks/${id}/import`,
    title: t.importing.title,
    shows: [t.importing.lead(title)],
    leads: { link: linkTo(`/phonebooks/${id}`), to: `#/phonebooks/${id}`, title },
  };
}

async function compose({ get, t, format }) {
  const lines = await get("/lines");
  const [{ title, count }] = await get("/phonebook");
  return {
    title: t.compose.title,
    ready: async (page) => {
      await page.locator(".radio", { hasText: t.compose.kinds.phonebooks }).click();
      await page.locator(".books label", { hasText: title }).waitFor();
    },
    shows: [...lines.map(({ number }) => format.digits(number)), title, t.phonebook.numbers(format.number(count))],
  };
}

async function wallet({ get, t, format }) {
  const { wallet } = await get("/account/info");
  const entries = await get("/account/transactions");
  const { availableBalance: available, lockedBalance: locked, unit } = wallet;
  const money = (amount) => format.money(amount, unit);
  return {
    title: t.wallet.title,
    shows: [
      ...[money(available), money(locked), money(available + locked)],
      ...entries.flatMap(({ type, amount, availableBalance, createdAt }) => [
        ...[format.moment(createdAt), t.entries[type], format.number(amount), money(availableBalance)],
      ]),
    ],
    leads: { link: linkTo("/messages/"), to: `#/messages/${entries[0].message}`, title: t.message.title },
  };
}

async function keys({ get, t }) {
  const list = await get("/keys");
  return { title: t.keys.title, shows: list.flatMap(({ title, hint, mode }) => [title, hint, t.modes[mode]]) };
}

async function patterns({ get, t }) {
  const list = await get("/pattern");
  const { slug, title } = list[0];
  return {
    title: t.patterns.title,
    shows: list.flatMap(({ slug, title }) => [slug, title]),
    leads: { link: linkTo("/patterns/"), to: `#/patterns/${slug}`, title },
  };
}

async function pattern({ get, t, format }) {
  const { slug, title, createdAt, versions } = await get("/pattern/order-sent");
  return {
    hash: `#/patterns/${slug}`,
    title,
    shows: [
      ...[slug, format.moment(createdAt)],
      ...versions.flatMap(({ text, status }) => [text, t.versionStatuses[status]]),
    ],
    leads: { link: linkTo("/patterns"), to: "#/patterns", title: t.patterns.title },
  };
}

async function inbound({ get, t, format }) {
  const list = await get("/inbound?limit=100");
  const newest = [...new Map(list.toReversed().map((one) => [one.from, one])).values()];
  const { from } = list[0];
  return {
    title: t.inbound.title,
    shows: newest.flatMap(({ from, text, receivedAt }) => [
      ...[erased(t, format.phone(from)), erased(t, text), format.moment(receivedAt)],
    ]),
    leads: { link: linkTo("/inbound/"), to: `#/inbound/${from}`, title: "" },
  };
}

/** The newest sender who got something, too: on some days the newest of all got nothing. */
async function talker(get) {
  for (const { from } of await get("/inbound?limit=100")) {
    const sent = from === "erased" ? [] : await get(`/messages?recipient=${encodeURIComponent(from)}&limit=100`);
    if (sent.length > 0) return { from, sent };
  }
  throw new Error("the demo has no sender who got anything");
}

async function conversation({ get, t, format }) {
  const { from, sent } = await talker(get);
  const number = encodeURIComponent(from);
  const received = await get(`/inbound?from=${number}&limit=100`);
  return {
    hash: `#/inbound/${number}`,
    title: "",
    shows: [
      format.phone(from),
      ...received.flatMap(({ text, receivedAt }) => [text, t.inbound.receivedAt(format.moment(receivedAt))]),
      ...sent.flatMap((message) => [textOf(t, message), t.inbound.sentAt(format.moment(timeOf(message)))]),
    ],
    leads: { link: linkTo("/messages/"), to: `#/messages/${sent.at(-1).uid}`, title: t.message.title },
  };
}

async function blacklist({ get, t, format }) {
  const list = await get("/blacklist");
  return {
    title: t.blacklist.title,
    shows: list.flatMap(({ number, optOut, createdAt }) => [
      ...[format.phone(number), optOut ? t.blacklist.byOwner : t.blacklist.byAccount, format.moment(createdAt)],
    ]),
  };
}

async function webhooks({ get, t }) {
  const [{ id, url, description }] = await get("/webhook");
  return {
    title: t.webhooks.title,
    shows: [url, description, t.webhooks.off],
    leads: { link: linkTo("/webhooks/"), to: `#/webhooks/${id}`, title: t.webhooks.one },
  };
}

async function webhook({ get, t, format }) {
  const [{ id, url, events }] = await get("/webhook");
  const deliveries = await get(`/webhook/${id}/deliveries`);
  return {
    hash: `#/webhooks/${id}`,
    title: t.webhooks.one,
    shows: [
      ...[url, ...events.map((type) => t.eventTypes[type])],
      ...deliveries.flatMap(({ id, type, status, responseStatus, createdAt }) => [
        ...[id, t.eventTypes[type], t.deliveryStatuses[status], format.digits(String(responseStatus))],
        format.moment(createdAt),
      ]),
    ],
    leads: { link: linkTo("/webhooks"), to: "#/webhooks", title: t.webhooks.title },
  };
}

async function verify({ get, t, format }) {
  const { rows } = await get("/verify/stats?by=day");
  const [started, approved] = ["started", "approved"].map((name) => sum(rows, (row) => row[name]));
  return {
    title: t.verify.title,
    shows: [
      ...[format.number(started), format.number(approved), format.percent(approved / started)],
      ...rows.flatMap(({ name, medianSeconds }) => [
        format.day(name),
        ...(medianSeconds === null ? [] : [t.verify.seconds(format.number(medianSeconds))]),
      ]),
    ],
  };
}

async function erasures({ get, t, format }) {
  const list = await get("/erasures");
  return {
    title: t.erasures.title,
    shows: list.flatMap(({ numberEnding, status, found, createdAt, doneAt }) => [
      ...[format.digits(numberEnding), t.erasureStatuses[status], format.moment(createdAt)],
      ...(doneAt ? [format.moment(doneAt)] : []),
      // What an order has met nothing of is left out.
      ...["recipients", "inbound"]
        .filter((name) => found[name] > 0)
        .map((name) => t.erasures.met[name](format.number(found[name]))),
    ]),
  };
}

async function members({ get, t, format }) {
  const list = await get("/members");
  return {
    title: t.members.title,
    shows: list.flatMap(({ name, phone, role }) => [name, format.phone(phone), t.roles[role].name]),
  };
}

async function settings({ get, t }) {
  const { accountInfo } = await get("/account/info");
  return { title: t.settings.title, shows: [t.settings.signedIn(accountInfo.fullName, "demo")] };
}

export const rows = [
  { name: "overview", sample: "/", about: overview },
  { name: "messages", sample: "/messages", about: messages },
  { name: "message", sample: "/messages/1", about: message },
  { name: "campaigns", sample: "/campaigns", about: campaigns },
  { name: "new campaign", sample: "/campaigns/new", about: newCampaign },
  { name: "campaign", sample: "/campaigns/1", about: campaign },
  { name: "edit of a campaign", sample: "/campaigns/1/edit", about: campaignEdit },
  { name: "campaign, copied", sample: "/campaigns/1/copy", about: campaignCopy },
  { name: "phonebooks", sample: "/phonebooks", about: phonebooks },
  { name: "phonebook", sample: "/phonebooks/1", about: phonebook },
  { name: "import", sample: "/phonebooks/1/import", about: importing },
  { name: "compose", sample: "/compose", about: compose },
  { name: "wallet", sample: "/wallet", about: wallet },
  { name: "keys", sample: "/keys", about: keys },
  { name: "patterns", sample: "/patterns", about: patterns },
  { name: "pattern", sample: "/patterns/1", about: pattern },
  { name: "inbox", sample: "/inbound", about: inbound },
  { name: "conversation", sample: "/inbound/1", about: conversation },
  { name: "blacklist", sample: "/blacklist", about: blacklist },
  { name: "webhooks", sample: "/webhooks", about: webhooks },
  { name: "webhook", sample: "/webhooks/1", about: webhook },
  { name: "verify", sample: "/verify", about: verify },
  { name: "erasures", sample: "/erasures", about: erasures },
  { name: "members", sample: "/members", about: members },
  { name: "settings", sample: "/settings", about: settings },
];
