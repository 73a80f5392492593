// The sdist and the wheel.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { exec, Failure, outputOf } from "../base/command.mjs";
import { output } from "./output.mjs";
import { ensurePythonTools } from "./python-tools.mjs";

const program = "import peyk; assert peyk.Client; print(peyk.VERSION)";
const publishing = (files) => ["-m", "twine", "upload", ...files];

/** Installs a package in a folder of its own, and returns the version that a program reads there. */
function versionOf(python, dir, file, index) {
  const packages = join(dir, String(index));
  const options = ["--quiet", "--disable-pip-version-check", "--no-index", "--no-deps", "--no-build-isolation"];
  output(dir, python, ["-m", "pip", "install", ...options, "--target", packages, file]);
  return output(dir, python, ["-c", program], { PYTHONPATH: packages });
}

export const python = {
  async build(source, into) {
    output(source, await ensurePythonTools(), ["-m", "build", "--no-isolation", "--outdir", into, "."]);
    return readdirSync(into)
      .sort()
      .map((name) => join(into, name));
  },
  async versionIn(dir, files) {
    const tools = await ensurePythonTools();
    const versions = files.map((file, index) => versionOf(tools, dir, file, index));
    return [...new Set(versions)].join(" and ");
  },
  next: (files) => [
    "to publish it, install twine, have a token of the project `peyk-sms`, and then:",
    `python3 ${publishing(files).join(" ")}`,
  ],
  publish(files) {
    if (outputOf("python3", ["-m", "twine", "--version"]) === null)
      throw new Failure("twine is missing, which uploads: `python3 -m pip install twine`");
    return exec("python3", publishing(files), { env: process.env });
  },
};
