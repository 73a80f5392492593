// npm's twilio. A line: {"client": [<username>, <password>, <account>], "call": "messages.create", "args": [{…}]}. `sid`
// names a record, and {"date": <text>} is a time.
import twilio from "twilio";
import { answer } from "./lines.mjs";

await answer(async ({ client: [username, password, accountSid], call, sid, args }) => {
  if (call === "validate") return twilio.validateRequest(...args);
  const [resource, method] = call.split(".");
  const records = twilio(username, password, { accountSid })[resource];
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
