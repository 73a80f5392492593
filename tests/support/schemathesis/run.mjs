// PyPI's Schemathesis, in a Python of its own. It tests a service against the document that the service serves.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { environment, finished } from "../../../scripts/lib/base/command.mjs";
import { ensurePython } from "../../../scripts/lib/test/install.mjs";

const here = (name) => fileURLToPath(new URL(name, import.meta.url));

export const ensureSchemathesis = () => ensurePython(here("requirements.txt"), "Schemathesis");

/**
 * Runs all checks in all phases over the operations that `filters` leave (options of Schemathesis). `variables` are those of
 * schemathesis.toml and hooks.py, `examples` bounds the cases of each operation in the phases that have no end of their own.
 * Returns the exit code, the number of cases, and the output, which names the seed and a command for each finding.
 */
export async function runSchemathesis({ baseUrl, dir, filters, examples, seed, variables }) {
  const python = await ensureSchemathesis();
  const options = ["--max-examples", String(examples), "--seed", String(seed)];
  const config = ["--config-file", here("schemathesis.toml")];
  const program = ["-m", "schemathesis.cli", ...config, "run", `${baseUrl}/openapi.json`];
  const child = spawn(python, [...program, ...options, ...filters], {
    cwd: dir,
    env: environment({ PYTHONPATH: here("."), PYTHONDONTWRITEBYTECODE: "1", PYTHONUTF8: "1", ...variables }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const { code } = await finished(child);
  return { code, cases: Number(/^\s*([\d,]+) generated/m.exec(output)?.[1].replaceAll(",", "")), output };
}
