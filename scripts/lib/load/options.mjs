import { failFor, local, parsed, serviceAddress } from "../base/options.mjs";

/** The most requests of one run: the latency of each is kept, so that the percentiles are exact. */
const mostRequests = 2_000_000;

export const help = `npm run load -- [options]

Sends messages at a steady rate and prints how many were accepted and how long the answers took.

  --url URL          where Peyk serves (${local}, by PORT)
  --key KEY          an API key; without it, a test key of the demo that \`npm start\` makes
  --rate N           requests a second, 0.1 to 20000 (20)
  --seconds N        how long, 1 to 3600 (10)
  --recipients N     recipients of each request, 1 to 10000 (1)
  --to NUMBERS       the recipients' numbers, between commas; needed with --live
  --line NUMBER      the line to send from; without it, the account's default line
  --in-flight N      the most requests that may wait for their answers, 1 to 10000 (1000)
  --over-limit       run even if the account's rate limit can't take it
  --live             allow a live key: its messages cost money and go to phones
  --help             print this

Messages of a test key cost nothing and reach no carrier. A request starts at its planned time, whatever became of those before
it, and its latency counts from that time: a service that stands still for a second shows in the percentiles. If
--in-flight requests wait already, the next ones start late, and the table says so.`;

const known = {
  url: { type: "string", default: local },
  key: { type: "string" },
  rate: { type: "string", default: "20" },
  seconds: { type: "string", default: "10" },
  recipients: { type: "string" },
  to: { type: "string" },
  line: { type: "string" },
  "in-flight": { type: "string", default: "1000" },
  "over-limit": { type: "boolean", default: false },
  live: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
};

/** Reads the options of the command line. Fails with all that is wrong with them. */
export function readOptions(args) {
  const values = parsed(args, known, "load");
  if (values.help) return { help: true };
  const faults = [];
  const fault = (text) => faults.push(text) && undefined;
  const number = (name, least, most, isWhole) => {
    const value = Number(values[name]);
    const isGood =
      values[name].trim() !== "" && value >= least && value <= most && (!isWhole || Number.isInteger(value));
    return isGood
      ? value
      : fault(`--${name} must be a ${isWhole ? "whole " : ""}number from ${least} to ${most}, not "${values[name]}"`);
  };
  const to = values.to === undefined ? undefined : numbers(values.to, fault);
  values.recipients ??= String(to?.length ?? 1);
  const options = {
    url: address(values.url, fault),
    key: values.key,
    rate: number("rate", 0.1, 20_000, false),
    seconds: number("seconds", 1, 3_600, true),
    recipients: number("recipients", 1, 10_000, true),
    inFlight: number("in-flight", 1, 10_000, true),
    to,
    line: values.line,
    overLimit: values["over-limit"],
    live: values.live,
  };
  options.requests = Math.max(1, Math.round(options.rate * options.seconds));
  if (options.requests > mostRequests)
    fault(`${options.rate} requests a second for ${options.seconds} s are more than ${mostRequests} requests`);
  if (to && options.recipients > to.length)
    fault(`--recipients ${options.recipients} needs as many numbers in --to, which has ${to.length}`);
  if (options.live && values.to === undefined)
    fault("--live needs --to: the messages go to phones, and nobody else's must ring");
  failFor(faults, "load");
  return options;
}

const address = (text, fault) =>
  serviceAddress(text) ?? fault(`--url must be an address like https://sms.example.com, not "${text}"`);

function numbers(text, fault) {
  const list = [...new Set(text.split(",").map((number) => number.trim()))];
  return list.every((number) => /^\+?\d{7,15}$/.test(number))
    ? list
    : fault(`--to must be phone numbers between commas, not "${text}"`);
}
