import { installPackages } from "./debian.mjs";
import { outputOf } from "./exec.mjs";

const packages = { php: "php-cli", python3: "python3" };

/** Installs what is missing of the languages of the README's examples. */
export async function ensureLanguages() {
  const missing = Object.keys(packages).filter((program) => outputOf(program, ["--version"]) === null);
  if (missing.length === 0) return;
  const names = missing.map((program) => packages[program]);
  await installPackages(names, "the tests of the README's examples");
}
