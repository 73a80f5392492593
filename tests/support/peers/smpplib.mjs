// The SMPP client of PyPI's smpplib, in a Python of its own.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { finished } from "../../../scripts/lib/base/command.mjs";
import { ensurePython } from "../../../scripts/lib/test/install.mjs";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

export const ensureSmpplib = () => ensurePython(here("requirements.txt"), "the tests of carriers");

/**
 * Binds, submits `messages` (`{from, to, text}`), waits until as many `deliveries` came, and unbinds. Returns the answers,
 * the receipts and the inbound messages that the client has seen; or, if it failed, its error output as `failure`.
 */
export async function runSmpplib({ port, systemId = "peyk", password = "secret", messages = [], deliveries = 0 }) {
  const job = JSON.stringify({ port, systemId, password, messages, deliveries });
  const child = spawn(await ensureSmpplib(), [here("smpplib_client.py"), job], { stdio: ["ignore", "pipe", "pipe"] });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) child[name].on("data", (chunk) => (output[name] += chunk));
  const { code } = await finished(child);
  return code === 0 ? JSON.parse(output.stdout) : { failure: output.stderr };
}
