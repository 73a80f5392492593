import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { installPackages } from "./debian.mjs";
import { exec } from "./exec.mjs";

/** The programs of Kannel that the tests run. They have no `--version`. */
export const programs = { bearerbox: "/usr/sbin/bearerbox", smsbox: "/usr/sbin/smsbox" };

/** Finds Kannel, and installs it if it is missing. */
export async function ensureKannel() {
  if (Object.values(programs).every((path) => existsSync(path))) return;
  await withoutServices(() => installPackages(["kannel"], "the tests of carriers"));
  // Otherwise the machine would start a gateway of its own with the next boot. The tests start theirs as processes.
  await exec("update-rc.d", ["kannel", "disable"]);
}

const policy = "/usr/sbin/policy-rc.d";

/** Debian starts the services of a package when it installs the package, unless this program forbids it. */
async function withoutServices(work) {
  const forbids = !existsSync(policy) && process.getuid() === 0;
  if (forbids) {
    writeFileSync(
      policy,
      "#!/bin/sh\n# The installation of Kannel for tests put this here and removes it.\nexit 101\n",
    );
    chmodSync(policy, 0o755);
  }
  try {
    return await work();
  } finally {
    if (forbids) rmSync(policy, { force: true });
  }
}
