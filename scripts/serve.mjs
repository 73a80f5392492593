import { bootstrap } from "./lib/base/bootstrap.mjs";
import { Failure, run } from "./lib/base/command.mjs";
import { keyHandover } from "./lib/base/key-handover.mjs";
import { checkWords, parsed } from "./lib/base/options.mjs";
import { called } from "./lib/base/packed.mjs";
import { portIn } from "./lib/base/port.mjs";
import { build } from "./lib/build/build.mjs";
import { logAsJson } from "./lib/serve/log.mjs";

const help = `${called("serve")} --data DIR [options]

Serves Peyk on this machine, with all of its data in the folder DIR. The first start makes the folder, the secret and the first
operator key. docs/self-hosting.md says how to run it for good.

  --data DIR         the folder of the data
  --port PORT        where it listens (default: 8787)
  --host HOST        on which address of this machine (default: 127.0.0.1)
  --key-file PATH    writes the first operator key into a new file that only you may read, in place of showing it
  --demo             makes the demo's data in a new folder
  --no-copy          after an upgrade, does not copy the data before it changes them
  --help             print this`;
const known = {
  data: { type: "string" },
  port: { type: "string", default: "8787" },
  host: { type: "string", default: "127.0.0.1" },
  demo: { type: "boolean", default: false },
  "no-copy": { type: "boolean", default: false },
};

if (process.env.LOG_FORMAT === "json") logAsJson();
const args = process.argv.slice(2);
await checkWords(args, { command: "serve", help, known: { ...known, "key-file": { type: "string" } } });
await bootstrap();
await run(async () => {
  const handover = keyHandover(args);
  const { data, host: named, port: text, demo, "no-copy": noCopy } = parsed(handover.rest, known, "serve");
  if (!data) throw new Failure("--data DIR must name the folder of the data.");
  await chooseLog(data);
  // The system chooses a port for 0.
  const port = portIn(text, 0);
  if (port === null) throw new Failure(`--port must be a number from 0 to 65535, not "${text}".`);
  // An address of IPv6 may stand in brackets, as in a URL.
  const host = named.replace(/^\[(.*)\]$/, "$1").trim();
  if (!host) throw new Failure("--host must name an address of this machine, such as 127.0.0.1 or ::1.");
  await build();
  // What it needs is installed by now.
  const { serve } = await import("./lib/serve/serve.mjs");
  await serve({ data, host, port, isDemo: demo, copies: !noCopy, handover });
});

/** The settings of the folder may ask for a log in JSON. What reads them is installed by now. */
async function chooseLog(data) {
  const { placesIn } = await import("./lib/serve/folder.mjs");
  const { logFormatOf } = await import("./lib/serve/settings.mjs");
  if (logFormatOf(placesIn(data)) === "json") logAsJson();
}
