import { relative } from "node:path";
import { bootstrap } from "./lib/base/bootstrap.mjs";
import { call } from "./lib/base/client.mjs";
import { Failure, run, say } from "./lib/base/command.mjs";
import { stateDir } from "./lib/base/paths.mjs";
import { ensureFree, portIn } from "./lib/base/port.mjs";
import { build } from "./lib/build/build.mjs";
import { ensureHistory } from "./lib/history/history.mjs";
import { ensureDemo } from "./lib/start/demo.mjs";
import { plainHosts } from "./lib/start/plain-hosts.mjs";
import { serve } from "./lib/start/serve.mjs";
import { writeShell } from "./lib/start/shell.mjs";
import { prepareState } from "./lib/start/state.mjs";

/** Where Peyk listens if nothing else is said, and where it does for all networks of the machine. */
const loopback = "127.0.0.1";
const everywhere = "0.0.0.0";

await bootstrap();
// A change of the sources is then served within seconds.
process.env.PEYK_BUILD ??= "quick";
await run(main);

async function main() {
  const port = portFrom(process.env.PORT || "8787");
  const host = hostFrom(process.env.PEYK_HOST || loopback);
  const names = plainHosts(process.env.PLAIN_HTTP_HOSTS || "");
  await ensureFree(port, host, (other) => `PORT=${other} npm start`);
  await build();
  await ensureHistory(stateDir());
  await prepareState(stateDir());
  say("starting the runtime …");
  const server = await serve({ port, host, stateDir: stateDir(), output: "inherit", vars: settings(port, names) });
  endWith(server);
  const demo = await ensureDemo(stateDir(), server.baseUrl);
  const shell = writeShell(stateDir(), demo);
  show(demo, shell, await consoleLink(demo, demo.apiKey), await consoleLink(demo, demo.adminKey));
  if (host !== loopback) warnOf(host, port, names);
}

function portFrom(text) {
  const port = portIn(text);
  if (port === null) throw new Failure(`PORT must be a number from 1 to 65535, not "${text}"`);
  return port;
}

/** One network of many would be of no use: what calls the service there names a host. */
function hostFrom(text) {
  if (![loopback, everywhere].includes(text))
    throw new Failure(`PEYK_HOST must be ${loopback} or, in a container, ${everywhere}, not "${text}"`);
  return text;
}

/** The service refuses plain HTTP to any address but this machine's own, unless its setting names it. */
function settings(port, names) {
  return { PUBLIC_URL: `http://127.0.0.1:${port}`, ...(names && { PLAIN_HTTP_HOSTS: names }) };
}

function warnOf(host, port, names) {
  const others = names && `, or by a name of PLAIN_HTTP_HOSTS (${names})`;
  console.log(`Peyk listens on ${host}: whoever reaches port ${port} of this machine reaches it, and nothing is encrypted. Publish the
port for your own machine alone (\`docker run -p 127.0.0.1:${port}:${port}\`). It answers who calls it http://127.0.0.1:${port} or
http://localhost:${port}${others}, and refuses plain HTTP under any other name (403).
`);
}

/** Exits when a signal asks for it, and when the runtime ends. */
function endWith(server) {
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    say("stopping …");
    await server.stop();
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, stop);
  server.exited.then(() => {
    if (stopping) return;
    console.error("\npeyk: the runtime ended unexpectedly; its output above may say why");
    process.exit(1);
  });
}

/** A path as one types it in this folder. */
function shortest(path) {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith("..") ? path : fromHere;
}

/** The address of the console that signs in once, without pasting the key. */
async function consoleLink({ baseUrl }, key) {
  const { status, text, json } = await call(baseUrl, "POST", "/console/link", { key, body: { ttlSeconds: 43_200 } });
  if (status !== 201) throw new Failure(`there is no link to the console: ${status} ${text}`);
  return json.data.url;
}

function show({ baseUrl, adminKey, accountId, apiKey, testKey, line }, shell, link, operatorLink) {
  const body = JSON.stringify({ message: "سلام از پیک", recipients: ["09121234567"], sourceNumber: line });
  console.log(`
Peyk is serving on ${baseUrl}

  account       ${accountId} (demo)
  API key       ${apiKey}
  test key      ${testKey}
  operator key  ${adminKey}
  line          ${line}

All of these as variables of a shell, and the commands of the README's examples:

  . ${shortest(shell)}

The console, each link for one sign-in:

  as the shop      ${link}
  as an operator   ${operatorLink}

Send a first message:

curl -s ${baseUrl}/sms/send -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' -d '${body}'

See a real submit_sm: \`npm run carrier-demo\` in another terminal starts a local SMSC and gives you a line to it.

Ctrl-C stops it.
`);
}
