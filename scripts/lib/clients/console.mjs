// The types by which the console talks to the API: what openapi-typescript makes of openapi.json.
import { readFileSync } from "node:fs";
import openapiTypes, { astToString } from "openapi-typescript";
import { inRoot } from "../base/paths.mjs";

/** What only people read, and headers, which the console does not look at. */
const leftOut = new Set(["description", "summary", "example", "examples", "headers"]);
/** Every error is a problem, and the console has its type from the schemas. */
const isError = (name) => /^[345]\d\d$/.test(name);
const noMethod = /^ +(?:get|put|post|delete|options|head|patch|trace|query|header|path|cookie)\?: never;\n/gm;

/** The document without what the types do not need: they become a third of their size. */
function slim(value, hasNames = false) {
  if (Array.isArray(value)) return value.map((item) => slim(item));
  if (value === null || typeof value !== "object") return value;
  const kept = Object.entries(value).filter(([name]) => hasNames || !(leftOut.has(name) || isError(name)));
  return Object.fromEntries(kept.map(([name, item]) => [name, slim(item, name === "properties")]));
}

export async function consoleTypes() {
  const { components, ...document } = slim(JSON.parse(readFileSync(inRoot("openapi.json"), "utf8")));
  const { responses, ...kept } = components;
  const text = astToString(await openapiTypes({ ...document, components: kept })).replace(noMethod, "");
  return { "console/src/api/schema.d.ts": `// Made by \`npm run clients\` from openapi.json.\n\n${text}` };
}
