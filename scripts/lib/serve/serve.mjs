// `npm run serve`: a service in production on this machine. The order is: look at the folder, lock it, start Peyk's runtime without
// a public socket, bring its data up to date, and open the gate.
import { existsSync, readFileSync } from "node:fs";
import { Failure } from "../base/command.mjs";
import { called } from "../base/packed.mjs";
import { inRoot } from "../base/paths.mjs";
import { ensureFree } from "../base/port.mjs";
import { startCrons } from "./cron.mjs";
import { makeDemo } from "./demo.mjs";
import { migrate } from "./directory.mjs";
import { endWith } from "./end.mjs";
import { ensureClock, ensureFolder, ensureNotNewer, placesIn, versionIn, writeVersion } from "./folder.mjs";
import { addressOf, openGate } from "./gate/gate.mjs";
import { lockFolder } from "./lock.mjs";
import { firstOperator, hasOperator } from "./operator.mjs";
import { watchRoom } from "./room.mjs";
import { secretsOf } from "./secrets.mjs";
import { startService } from "./service/service.mjs";
import { readSettings, writeSettings } from "./settings.mjs";
import { settledService } from "./settled.mjs";
import { watchOver } from "./watch.mjs";
import { welcome } from "./welcome.mjs";

/**
 * Serves the folder `data` on `host` and `port` until a signal asks for the end. `handover` gives the operator the first key, and
 * `isDemo` asks for the demo's data in a new folder.
 */
export async function serve({ data, host, port, isDemo, handover }) {
  // All that it makes is for its user alone.
  process.umask(0o077);
  const places = placesIn(data);
  const isNew = !existsSync(places.version);
  if (isDemo && !isNew) throw new Failure(`${places.dir} has data already, and --demo is for a new folder.`);
  if (isNew) handover.ensure();
  const { version } = JSON.parse(readFileSync(inRoot("package.json"), "utf8"));
  const { service, settings } = await openFolder({ places, isNew, version, host, port });
  const key = await prepare({ places, service, version, handover });
  const gate = await openGate({ host, port, peyk: service.peyk, trustedProxies: settings.trustedProxies });
  watchOver(gate.child);
  const stopCrons = startCrons(service.crons, (cron, time) => service.ask("scheduled", { cron, time }));
  endWith({ service, gate, stops: [stopCrons, watchRoom(places)] });
  const baseUrl = addressOf(host, gate.port);
  const demo = isDemo ? await makeDemo(baseUrl, key) : undefined;
  console.log(welcome({ places, baseUrl, isNew, demo }));
}

/** Starts Peyk's runtime on a folder that may be served, and holds the folder's lock from then on. */
async function openFolder({ places, isNew, version, host, port }) {
  ensureFolder(places);
  await lockFolder(places);
  const found = versionIn(places);
  if (found) ensureNotNewer(places, found, version);
  ensureClock(places);
  await ensureFree(port, host, (other) => `${called("serve")} --data ${places.dir} --port ${other}`);
  const settings = readSettings(places);
  const secrets = secretsOf(places);
  if (isNew) writeSettings(places);
  const start = async (texts, log) => {
    const service = await startService({
      stores: places.state,
      settings: texts,
      secrets,
      networks: settings.networks,
      log,
    });
    watchOver(service.child);
    return service;
  };
  return { service: await settledService(start, settings.settings, settings.faults), settings };
}

/** Brings the data up to date, and gives the first operator key, if nobody has it yet. Returns that key. */
async function prepare({ places, service, version, handover }) {
  await migrate(service.ask);
  writeVersion(places, version);
  if (await hasOperator(service.ask)) return undefined;
  handover.ensure();
  return firstOperator(service.ask, handover);
}
