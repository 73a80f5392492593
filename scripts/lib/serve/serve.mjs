// `npm run serve`: a service in production on this machine. The order is: hold the folder, prepare its data, start Peyk's runtime without
// a public socket, and open the gate.
import { existsSync } from "node:fs";
import { Failure, say, show } from "../base/command.mjs";
import { called } from "../base/packed.mjs";
import { ensureFree } from "../base/port.mjs";
import { shellWord } from "../base/shell-word.mjs";
import { peykVersion } from "../base/version.mjs";
import { startCrons } from "./cron.mjs";
import { makeDemo } from "./demo.mjs";
import { endWith } from "./end.mjs";
import { placesIn } from "./folder.mjs";
import { addressOf, openGate } from "./gate/gate.mjs";
import { holdFolder } from "./hold.mjs";
import { watchKeys } from "./key-files.mjs";
import { logRuntime } from "./log.mjs";
import { prepare } from "./prepare.mjs";
import { ensureSecretInFile, secretsOf } from "./secrets.mjs";
import { startService } from "./service/service.mjs";
import { readSettings, writeSettings } from "./settings.mjs";
import { watchClock, watchRoom } from "./watches.mjs";
import { welcome } from "./welcome.mjs";

/**
 * Serves the folder `data` on `host` and `port` until a signal asks for the end. `handover` gives the operator the first key, and
 * `isDemo` asks for the demo's data in a new folder, and `copies` for a copy of an older version's data.
 */
export async function serve({ data, host, port, isDemo, copies, handover }) {
  const places = placesIn(data);
  const isNew = !existsSync(places.version);
  ensureSecretInFile(places);
  if (isDemo) ensureDemo(places, isNew, host);
  if (isNew) handover.ensure();
  await holdFolder(places, peykVersion());
  await ensureFree(port, host, (other) => `${called("serve")} --data ${shellWord(places.dir)} --port ${other}`);
  const settings = readSettings(places);
  const secrets = secretsOf(places);
  if (isNew) writeSettings(places);
  if (settings.fromEnvironment.length > 0) say(`the environment sets ${settings.fromEnvironment.join(", ")}`);
  const key = await prepare({ places, settings, secrets, version: peykVersion(), copies, handover });
  const service = await startService({
    stores: places.state,
    settings: settings.settings,
    secrets,
    networks: settings.networks,
    log: logRuntime,
  });
  const ending = endWith(service);
  try {
    ending.stops.push(watchRoom(places), watchClock(), watchKeys(places));
    const gate = await openGate({ host, port, service, trustedProxies: settings.trustedProxies });
    ending.opened(gate);
    const crons = startCrons(service.crons, (cron, time) => service.ask("scheduled", { cron, time }));
    ending.stops.push(crons);
    const baseUrl = addressOf(host, gate.port);
    const demo = isDemo ? await makeDemo(baseUrl, key) : undefined;
    show(welcome({ places, baseUrl, isNew, demo }));
  } catch (error) {
    await ending.close();
    throw error;
  }
}

/** The demo's data are made over plain HTTP, which Peyk answers under a name of its own machine only. */
function ensureDemo({ dir }, isNew, host) {
  if (!isNew)
    throw new Failure(
      `${dir} has data already, and --demo is for a new folder. If an earlier start was interrupted, remove the folder.`,
    );
  if (!/^(?:127\.|localhost$|::1?$|0\.0\.0\.0$)/.test(host))
    throw new Failure(`--demo is for trials on this machine. Leave out --host ${host}.`);
}
