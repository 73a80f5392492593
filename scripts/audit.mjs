// Licences and sources by the lock files, and then what is known of holes. With `--if-reachable`, a source that can't be asked is no
// failure; it is named all the same.
import { bootstrap } from "./lib/base/bootstrap.mjs";
import { Failure, run, say } from "./lib/base/command.mjs";
import { ofCrates, ofNpm } from "./lib/supply/advisories.mjs";
import { cratesOf, faultsOfCrates, faultsOfNpm, npmPackages } from "./lib/supply/packages.mjs";

await bootstrap();
await run(() => {
  const faults = [
    ...faultsOfCrates(cratesOf("Cargo.toml")),
    ...faultsOfCrates(cratesOf("tools/bindgen/Cargo.toml")),
    ...faultsOfNpm(npmPackages()),
  ];
  if (faults.length > 0) throw new Failure(`packages that may not be used:\n${faults.join("\n")}`);
  say("licences and sources are as they must be");
  const mustReach = !process.argv.includes("--if-reachable");
  const failed = [];
  for (const [what, { holes, unreached }] of [
    ["crates", ofCrates()],
    ["npm packages", ofNpm()],
  ]) {
    if (holes) failed.push(`the ${what} have known holes:\n${holes}`);
    else if (unreached === undefined) say(`no hole is known in the ${what}`);
    else if (mustReach) failed.push(`NOBODY HAS LOOKED for holes in the ${what}: ${unreached}`);
    else say(`NOBODY HAS LOOKED for holes in the ${what}: ${unreached}`);
  }
  if (failed.length > 0) throw new Failure(failed.join("\n"));
});
