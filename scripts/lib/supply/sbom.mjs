// The software bill of materials, CycloneDX 1.5: npm writes its half by package-lock.json, and the crates come from Cargo.lock.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { environment, Failure } from "../base/command.mjs";
import { inRoot, root } from "../base/paths.mjs";
import { cratesOf } from "./packages.mjs";

const purl = (name) => `pkg:cargo/${name}`;

function npmHalf() {
  const args = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
  const { status, stdout, stderr } = spawnSync("npm", args, {
    cwd: root,
    encoding: "utf8",
    env: environment(),
    maxBuffer: 64 << 20,
  });
  if (status !== 0) throw new Failure(`\`npm ${args.join(" ")}\` failed:\n${stderr}`);
  return JSON.parse(stdout);
}

function component({ name, version, licence, checksum }) {
  const ref = purl(`${name}@${version}`);
  return {
    "bom-ref": ref,
    type: "library",
    name,
    version,
    purl: ref,
    ...(licence ? { licenses: [{ expression: licence }] } : {}),
    ...(checksum ? { hashes: [{ alg: "SHA-256", content: checksum }] } : {}),
  };
}

/** The document, as an object. */
export function sbom() {
  const document = npmHalf();
  const crates = cratesOf("Cargo.toml");
  const { component: product } = document.metadata;
  const { name: service } = JSON.parse(readFileSync(inRoot("package.json"), "utf8"));
  const own = crates.find(({ source, name }) => source === null && name === service);
  // What needs the service is a test of it, or prints what it knows.
  const isTest = ({ dependsOn }) => dependsOn.includes(`${own.name}@${own.version}`);
  const others = crates.filter((crate) => crate !== own && !isTest(crate));
  product.name = own.name;
  product.type = "application";
  const edges = others.map(({ name, version, dependsOn }) => ({
    ref: purl(`${name}@${version}`),
    dependsOn: dependsOn.map(purl),
  }));
  const rootEdge = document.dependencies.find(({ ref }) => ref === product["bom-ref"]);
  rootEdge.dependsOn.push(...own.dependsOn.map(purl));
  document.components.push(...others.map(component));
  document.dependencies.push(...edges);
  return document;
}
