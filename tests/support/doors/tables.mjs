// The calls of each door, as its page, its OpenAPI document and its source name them, and the table of programs in docs/doors.md.
import { readFileSync } from "node:fs";
import { inRoot } from "../../../scripts/lib/base/paths.mjs";

const read = (...path) => readFileSync(inRoot(...path), "utf8");
const sorted = (names) => [...new Set(names)].sort();

/** For each door, how a path is written without what all paths of its protocols have. */
const shorten = {
  kavenegar: (path) => path.replace("/v1/{key}/", "").replace(/\.json$/, ""),
  ippanel: (path) => path.replace(/^\/(v1\/api|api\/v1|api|v1)\//, "").replace(/^\//, ""),
  smsir: (path) => path.replace("/v1/", "").replace(/^\/api\//, "api/"),
  twilio: (path) =>
    path
      .replace("/2010-04-01/", "")
      .replace(/\.json$/, "")
      .replace(/^Accounts\/\{\w*\}\//, ""),
};
export const doors = Object.keys(shorten);

/** A call in one form, such as `GET messages/{}`. */
function inOneForm(door, call) {
  const [, method, path] = /^(?:([A-Z]+) )?([^?]*)/.exec(call);
  const form = shorten[door](path)
    .replace(/\{\w*\}/g, "{}")
    .toLowerCase();
  return method ? `${method} ${form}` : form;
}

/** Calls without their methods: some pages leave these out, and sources have them elsewhere. */
export const pathsOf = (calls) => sorted(calls.map((call) => call.replace(/^[A-Z]+ /, "")));

/** The calls of a door's document. */
export function callsOfDocument(door) {
  const { paths } = JSON.parse(read("site", "doors", `${door}.json`));
  // Beside the methods stand the parameters that they share.
  const methodsOf = ({ parameters, ...methods }) => Object.keys(methods).map((name) => name.toUpperCase());
  return sorted(
    Object.entries(paths).flatMap(([path, item]) => methodsOf(item).map((name) => inOneForm(door, `${name} ${path}`))),
  );
}

const codes = (cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code);
/** What `sending_type` may be in a send of Edge. */
const noCalls = new Set(["sending_type", "webservice", "pattern", "peer_to_peer", "phonebook"]);

/** The rows of the first table below a heading of a page. */
function rowsBelow(page, heading) {
  const [, section] = page.split(`\n## ${heading}\n`);
  const [, table] = /\n\|.*\n\|---.*\n((?:\|.*\n)*)/.exec(section);
  return table
    .trimEnd()
    .split("\n")
    .map((row) => row.split("|").slice(1, -1));
}

/** A call of the second table of sms.ir's page, whose paths all begin with `/api/`. */
const inOlder = (call) => call.replace(/^([A-Z]+) /, "$1 /api/");

/** The calls in the tables of a door's page. A row that says nothing but a number is of what the door refuses. */
export function callsOfPage(door) {
  const page = read("docs", "doors", `${door}.md`);
  const namesBelow = (heading) =>
    rowsBelow(page, heading)
      .filter((cells) => !/^ \d+ $/.test(cells.at(-1)))
      .flatMap((cells) => cells.slice(0, -1).flatMap(codes));
  const older = door === "smsir" ? namesBelow("The API before `v1`").map(inOlder) : [];
  const names = [...namesBelow("Calls"), ...older].filter((name) => !noCalls.has(name));
  return sorted(names.map((name) => inOneForm(door, name)));
}

const found = (text, pattern) => [...text.matchAll(pattern)].map(([, name]) => name);
/** The segments of a pattern of Rust as a path: `"send", pack` is `send/{}`. */
const pathOf = (segments) =>
  segments
    .split(", ")
    .map((segment) => (segment.startsWith('"') ? segment.slice(1, -1) : "{}"))
    .join("/");

/** A pattern of Rust whose last segment may be one of several texts, as one pattern for each. */
const alternatives = (segments) => {
  const [, before, last] = /^(.*?)("[^,]*)$/.exec(segments);
  return last.split(" | ").map((text) => before + text);
};

/** For each door, the paths in the tables of its source. */
const inSource = {
  kavenegar: () => found(read("src/api/doors/kavenegar/mod.rs"), /^ +"(\w+\/\w+)" =>/gm),
  smsir: () => [
    ...found(read("src/api/doors/smsir/mod.rs"), /^ +\[(.+)\] => Call::(?!Templates)/gm).map(pathOf),
    ...found(read("src/api/doors/smsir/older/mod.rs"), /^ +\[(.+)\] => Call::(?!Missing)/gm)
      .flatMap(alternatives)
      .map((segments) => `api/${pathOf(segments)}`),
    ...found(read("src/api/doors/smsir/by_address.rs"), /^const SEND: &str = "(.+)";/gm),
  ],
  ippanel: () => {
    const [edge, api2, rest] = ["edge/mod.rs", "api2.rs", "rest.rs"].map((name) => read("src/api/doors/ippanel", name));
    const [, methods] = /let method = match request\.call \{([\s\S]*?)\n {8}_ =>/.exec(edge);
    return [
      ...found(methods, /"([a-z_/-]+)"/g),
      ...found(edge, /const BY_URL: &str = "(.+)"/g),
      ...found(api2, /^ +"(sms\/.+|inbox)" =>/gm),
      ...found(api2, /const DELIVERIES: &str = "(.+)"/g).map((path) => `${path}{}`),
      ...found(rest, /^ +\[(.+)\] =>/gm).map(pathOf),
    ];
  },
  twilio: () => {
    const source = read("src/api/doors/twilio/path.rs");
    const of = (first) => found(source, new RegExp(`^ +\\[("(?:${first})".*)\\] =>`, "gm")).map(pathOf);
    const ofVerify = of("Verifications|VerificationCheck").map((path) => `/v2/Services/{}/${path}`);
    const services = ["/v1/Services", "/v1/Services/{}", "/v2/Services/{}"];
    return [...of("Accounts"), ...of("PhoneNumbers").map((path) => `/v2/${path}`), ...services, ...ofVerify];
  },
};

/** The paths in the tables of a door's source. */
export const pathsOfSource = (door) => sorted(inSource[door]().map((path) => inOneForm(door, path)));

const head =
  "door,program,what works,what is refused on purpose,how it is run and in which file,last looked at by hand";

/** The table of docs/doors.md that shows `programs`, the rows of tests/doors/programs.json. */
export function tableOf(programs) {
  const rows = programs.map(({ door, program, version, works, refused, how, test, looked }) =>
    [door, `${program} ${version}`.trim(), works, refused, `${how}, ${test}`, looked].map(
      (cell) => cell && ` ${cell} `,
    ),
  );
  const names = head.split(",");
  const table = [names.map((name) => ` ${name} `), names.map(() => "---"), ...rows];
  return table.map((cells) => `|${cells.map((cell) => cell || " ").join("|")}|`).join("\n");
}
