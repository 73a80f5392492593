// npm's twilio. A line: {"client": [<username>, <password>, <account>], "call": "messages.create", "args": [{…}]}. `sid`
// names a record, `within` has the steps from the client to its list, and {"date": <text>} is a time.
import twilio from "twilio";
import { answer } from "./lines.mjs";

await answer(async ({ client: [username, password, accountSid], call, sid, within = [], args }) => {
  if (call === "validate") return twilio.validateRequest(...args);
  const [resource, method] = call.split(".");
  const client = twilio(username, password, { accountSid });
  const place = within.reduce((from, [name, ...of]) => (of.length === 0 ? from[name] : from[name](...of)), client);
  const records = place[resource];
  return shown(await (sid === undefined ? records : records(sid))[method](...args.map(argumentOf)));
});

function argumentOf(given) {
  if (typeof given !== "object") return given;
  const inTime = (value) => (value?.date === undefined ? value : new Date(value.date));
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, inTime(value)]));
}

function shown(value) {
  if (value?.instances === undefined) return value;
  const { nextPageUrl = null, previousPageUrl = null, instances } = value;
  return { nextPageUrl, previousPageUrl, instances };
}
