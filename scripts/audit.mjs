// Licences and sources by the lock files, and then what is known of holes.
import { bootstrap } from "./lib/base/bootstrap.mjs";
import { exec, Failure, outputOf, run, say } from "./lib/base/command.mjs";
import { cratesOf, faultsOfCrates, faultsOfNpm, npmPackages } from "./lib/supply/packages.mjs";

await bootstrap();
await run(async () => {
  const faults = [
    ...faultsOfCrates(cratesOf("Cargo.toml")),
    ...faultsOfCrates(cratesOf("tools/bindgen/Cargo.toml")),
    ...faultsOfNpm(npmPackages()),
  ];
  if (faults.length > 0) throw new Failure(`packages that may not be used:\n${faults.join("\n")}`);
  say("licences and sources are as they must be");
  if (outputOf("cargo", ["deny", "--version"]) === null)
    throw new Failure("the crates were not looked up. `cargo install --locked cargo-deny` brings what looks them up.");
  await exec("cargo", ["deny", "check"]);
  await exec("npm", ["audit", "--package-lock-only"]);
});
