// The npm package.
import { join } from "node:path";
import { exec } from "../base/command.mjs";
import { output } from "./output.mjs";

const offline = ["--offline", "--no-audit", "--no-fund", "--ignore-scripts"];
const program = 'import("@peyk/client").then(({ Client, VERSION }) => Client && console.log(VERSION))';
const publishing = (file) => ["publish", file, "--access", "public"];

export const typescript = {
  build(source, into) {
    const name = output(source, "npm", ["pack", "--silent", "--pack-destination", into]);
    return [join(into, name)];
  },
  versionIn(dir, [file]) {
    output(dir, "npm", ["install", ...offline, file]);
    return output(dir, process.execPath, ["-e", program]);
  },
  next: ([file]) => ["to publish it, sign in by `npm login`, and then:", `npm ${publishing(file).join(" ")}`],
  // The publisher's own environment says who publishes.
  publish: ([file]) => exec("npm", publishing(file), { env: process.env }),
};
