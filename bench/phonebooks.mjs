import { setTimeout as sleep } from "node:timers/promises";
import { call } from "../scripts/lib/base/client.mjs";
import { Failure, say } from "../scripts/lib/base/command.mjs";
import { number } from "./aims.mjs";
import { openAccount } from "./ask.mjs";
import { patient } from "./deadline.mjs";

const lines = 100_000;
const recipients = 10_000;
const deliveredWithin = 120_000;

/** Measures the import and export of a large file and one large campaign, each once, before any load. */
export async function measurePhonebooks(peyk) {
  const { baseUrl, memory } = peyk;
  const { key } = await openAccount(peyk, "bench-phonebooks");
  say(`importing a file of ${lines} lines …`);
  const before = memory();
  const many = await phonebook(baseUrl, key, "many");
  const imported = await timed(() => importCsv(baseUrl, key, many, lines));
  const after = memory();
  const exported = await timed(() => ask(baseUrl, "GET", `/phonebook/${many}/export`, { key }));
  say(`sending to a phonebook of ${recipients} numbers …`);
  const campaign = await phonebook(baseUrl, key, "campaign");
  await importCsv(baseUrl, key, campaign, recipients);
  const body = { phonebook: campaign, message: "سلام %name%، پیشنهاد ویژه برای شما" };
  const started = performance.now();
  const sent = await timed(() => ask(baseUrl, "POST", "/sms/phonebook/send", { key, body }));
  const delivered = await untilDelivered(baseUrl, key, sent.answer.json.data.uid, started);
  return report({ imported: imported.ms, exported: exported.ms, before, after, accepted: sent.ms, delivered });
}

async function timed(work) {
  const started = performance.now();
  const answer = await work();
  return { answer, ms: performance.now() - started };
}

async function ask(baseUrl, method, path, options) {
  const answer = await call(baseUrl, method, path, options);
  if (answer.status >= 300) throw new Failure(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer;
}

async function phonebook(baseUrl, key, title) {
  return (await ask(baseUrl, "POST", "/phonebook", { key, body: { title } })).json.data.id;
}

async function importCsv(baseUrl, key, id, count) {
  // The sandbox delivers to every number that ends in 100.
  const rows = Array.from(
    { length: count },
    (_, index) => `091${String(index).padStart(5, "0")}100,Customer ${index},Tehran`,
  );
  const raw = `number,name,city\n${rows.join("\n")}\n`;
  const answer = await ask(baseUrl, "POST", `/phonebook/${id}/import`, {
    key,
    raw,
    headers: { "Content-Type": "text/csv" },
  });
  const { added } = answer.json.data;
  if (added !== count) throw new Failure(`${added} of ${count} lines were added`);
}

async function untilDelivered(baseUrl, key, uid, started) {
  const until = performance.now() + patient(deliveredWithin);
  while (performance.now() < until) {
    const { counts } = (await ask(baseUrl, "GET", `/messages/${uid}`, { key })).json.data;
    if (counts.DELIVERED === recipients) return performance.now() - started;
    await sleep(50);
  }
  throw new Failure(`not all were delivered within ${Math.round(performance.now() - started)} ms`);
}

function report({ imported, exported, before, after, accepted, delivered }) {
  const rows = [
    ["CSV import, 100,000 lines", `${number(imported / 1000, 2)} s, ${number(lines / (imported / 1000))} lines/s`],
    ["the whole runtime's memory before it, highest during it", `${number(before.now)} MB, ${number(after.peak)} MB`],
    ["CSV export, 100,000 lines", `${number(exported / 1000, 2)} s`],
    ["phonebook send to 10,000, personalised: accepted in", `${number(accepted)} ms`],
    ["… its last delivery after", `${number(delivered / 1000, 2)} s`],
  ];
  return { tables: [{ head: ["phonebooks", ""], rows }] };
}
