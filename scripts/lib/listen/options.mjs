import { failFor, local, parsed, serviceAddress } from "../base/options.mjs";

export const help = `npm run listen -- --url URL [options]

Forwards the events of a service to a program on this machine, which no webhook reaches. It makes an endpoint for the
webhooks of an account, reads by the API what waits for it, signs that as the service does, and removes the endpoint at
the end.

  --url URL          where your program takes webhooks, like http://127.0.0.1:3000/peyk
  --base URL         where Peyk serves (${local}, by PORT)
  --key KEY          an API key with the scope \`webhook\` and that of each event; without it, the key of the demo that
                     \`npm start\` makes. A test key hears of the messages of test keys
  --events TYPES     the types of events, between commas (message.status,message.received; for a test key message.status)
  --secret SECRET    signs with this secret (whsec_…), which your program has already, in place of a new one
  --help             print this`;

const known = {
  url: { type: "string" },
  base: { type: "string", default: local },
  key: { type: "string" },
  events: { type: "string" },
  secret: { type: "string" },
  help: { type: "boolean", default: false },
};

/** Reads the options of the command line. Fails with all that is wrong with them. */
export function readOptions(args) {
  const { help, url, base, key, events, secret } = parsed(args, known, "listen");
  if (help) return { help };
  const options = { base: serviceAddress(base), url: target(url), key, events: events?.split(","), secret };
  const faults = [
    options.url === null &&
      `--url must be where your program listens, like http://127.0.0.1:3000/peyk, not "${url ?? ""}"`,
    options.base === null && `--base must be an address like https://sms.example.com, not "${base}"`,
    key !== undefined && !/^[\x21-\x7e]+$/.test(key) && "--key is not an API key",
    secret !== undefined && !/^whsec_[A-Za-z0-9+/]+=*$/.test(secret) && "--secret must be whsec_ and base64",
  ];
  failFor(faults.filter(Boolean), "listen");
  return options;
}

function target(text) {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url && /^https?:$/.test(url.protocol) ? url.href : null;
}
