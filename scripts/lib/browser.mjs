import { existsSync } from "node:fs";
import { environment, exec, outputOf } from "./exec.mjs";
import { Failure, say } from "./fail.mjs";

const packages = ["chromium", "chromium-driver"];
const isInstalled = () => ["chromium", "chromedriver"].every((program) => outputOf(program, ["--version"]) !== null);

/**
 * Finds Chromium and its driver. If they are missing, it installs them as root on Debian and otherwise fails with
 * instructions.
 */
export async function ensureBrowser() {
  if (!isInstalled()) await install();
  return { CHROMEDRIVER: process.env.CHROMEDRIVER || outputOf("sh", ["-c", "command -v chromedriver"]) };
}

async function install() {
  const isDebian = existsSync("/etc/debian_version");
  if (!isDebian || process.getuid() !== 0) {
    const how = isDebian ? ` \`sudo apt-get install ${packages.join(" ")}\` installs them.` : "";
    throw new Failure(`the browser tests need Chromium and chromedriver (Debian's ${packages.join(" and ")}).${how}`);
  }
  say(`installing ${packages.join(" and ")} for the browser tests …`);
  const env = environment({ DEBIAN_FRONTEND: "noninteractive" });
  await exec("apt-get", ["update", "-q"], { env });
  await exec("apt-get", ["install", "-q", "-y", "--no-install-recommends", ...packages], { env });
}
