// A service whose settings are right: the worker itself says which it would refuse.
import { Failure } from "../base/command.mjs";
import { askSocket } from "./service/sockets.mjs";
import { failForSettings } from "./settings.mjs";

/** What the worker logs of a setting that it refuses (src/base/config.rs). */
const refused = /setting ([A-Z0-9_]+)=.*: must be .*/;

/**
 * Starts a service, and returns it if it takes all \`settings\`. Otherwise fails with \`faults\` and with all that it refuses. It names
 * one at a time, so it is asked again without that one. \`start(settings, log)\` starts a service.
 */
export async function settledService(start, settings, faults) {
  const lines = [];
  let log = (line) => lines.push(line);
  const service = await start(settings, (line) => log(line));
  const { status, text } = await askSocket(service.peyk, "GET", "/health");
  if (status === 200 && faults.length === 0) {
    log = console.log;
    return service;
  }
  await service.stop();
  if (status === 200) failForSettings(faults);
  const [cause, name] = lines.map((line) => refused.exec(causeIn(line))).find(Boolean) ?? [];
  if (!(name in settings)) throw new Failure(`the service does not answer: ${status} ${text}\n${lines.join("\n")}`);
  const { [name]: _, ...others } = settings;
  return settledService(start, others, [...faults, `${cause.replace(/^setting /, "")}.`]);
}

function causeIn(line) {
  try {
    return JSON.parse(line).cause ?? line;
  } catch {
    return line;
  }
}
