import { existsSync } from "node:fs";
import { environment, exec } from "./exec.mjs";
import { Failure, say } from "./fail.mjs";

/**
 * Installs packages of Debian as root, and otherwise fails with instructions. `what` names what needs them, as a plural
 * ("the browser tests").
 */
export async function installPackages(packages, what) {
  const isDebian = existsSync("/etc/debian_version");
  if (!isDebian || process.getuid() !== 0) {
    const how = isDebian ? ` \`sudo apt-get install ${packages.join(" ")}\` installs them.` : "";
    throw new Failure(`${what} need Debian's ${packages.join(" and ")}.${how}`);
  }
  say(`installing ${packages.join(" and ")} for ${what} …`);
  const env = environment({ DEBIAN_FRONTEND: "noninteractive" });
  await exec("apt-get", ["update", "-q"], { env });
  await exec("apt-get", ["install", "-q", "-y", "--no-install-recommends", ...packages], { env });
}
