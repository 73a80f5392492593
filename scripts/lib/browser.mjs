import { installPackages } from "./debian.mjs";
import { outputOf } from "./exec.mjs";

const packages = ["chromium", "chromium-driver"];
const isInstalled = () => ["chromium", "chromedriver"].every((program) => outputOf(program, ["--version"]) !== null);

/** The path of the Chromium that is installed. */
export const chromiumPath = () => process.env.CHROMIUM || outputOf("sh", ["-c", "command -v chromium"]);

/** Finds Chromium and its driver, and installs them if they are missing. */
export async function ensureBrowser() {
  if (!isInstalled()) await installPackages(packages, "the browser tests");
  return { CHROMEDRIVER: process.env.CHROMEDRIVER || outputOf("sh", ["-c", "command -v chromedriver"]) };
}
