// Runs the code of a guide, block by block, as a reader would. A block's fence says what it is:
//
// - `sh`: a command. If `json` or `text` follows, that is what it prints.
// - `sh until`: the same, repeated until it prints what follows.
// - `js`, `python`, `php`: a program that uses a client library. A `text` that follows is what it prints.
// - `js receiver` and so on: a program that takes webhooks. The test hands it an event.
// - `json event`: an event of a webhook. The test compares it with a real one.
// - `… not-run: reason`: nothing runs it, and the reason says why.
//
// What is printed has at least the members that the guide shows. A uid, a time, a secret and the id of an event stand for those
// of the run: the first real one in its place is meant wherever the guide shows it again. `…` stands for any text.
import assert from "node:assert/strict";
import { guideSource } from "../../site/lib/build.mjs";
import { libraries, runProgram, withProgram } from "./client-libraries.mjs";
import { until } from "./server.mjs";

const fence = /^```(.*)\n([\s\S]*?)^```$/gm;
const libraryOf = { js: "typescript", python: "python", php: "php" };
const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const uuids = new RegExp(uuid, "g");
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const eventId = /^evt_[0-9a-f]{32}$/;

/** The blocks of a guide: `{language, flag, reason, code, expected}`. `expected` is the block that a command is followed by. */
export function blocksOf(name) {
  const blocks = [];
  for (const [, info, code] of guideSource(name, "en").matchAll(fence)) {
    const [language, ...rest] = info.split(" ");
    const [flag = "", reason = ""] = rest.join(" ").split(": ");
    const before = blocks.at(-1);
    const isOutput = ["json", "text"].includes(language) && flag === "" && before && !before.expected;
    if (isOutput) before.expected = { language, code };
    else blocks.push({ language, flag, reason, code });
  }
  return blocks;
}

/** The code of a guide in one run, against a service. `replaced` are texts of the guide and what stands for them. */
export class Run {
  constructor(server, key, replaced = {}) {
    this.env = { KEY: key, PEYK_API_KEY: key, PEYK_URL: server.baseUrl };
    this.replaced = new Map(Object.entries({ "https://sms.example.com": server.baseUrl, ...replaced }));
  }

  /** A text of the guide with the values of this run. */
  own(text) {
    let own = text;
    for (const [shown, real] of this.replaced) own = own.replaceAll(shown, real);
    return own;
  }

  /** Runs a command or a program, and holds its output against the guide. */
  async block({ language, flag, code, expected }) {
    if (flag === "until") {
      await until(async () => this.differences(expected, await this.output(language, code)).length === 0, {
        interval: 500,
        what: `what the guide shows after ${code}`,
      });
      return;
    }
    const output = await this.output(language, code);
    if (expected) assert.deepEqual(this.differences(expected, output), [], `${code}\nprinted\n${output}`);
  }

  output(language, code) {
    const own = this.own(code);
    if (language === "sh") return runProgram("bash", ["-euo", "pipefail", "-c", own], { env: this.env });
    const library = libraryOf[language];
    const { program, env } = libraries[library];
    return withProgram(library, own, (file, cwd) => runProgram(program, [file], { env: { ...env, ...this.env }, cwd }));
  }

  differences({ language, code }, output) {
    if (language === "json") return this.compare(JSON.parse(this.own(code)), JSON.parse(output), "");
    return output.trim() === this.own(code).trim() ? [] : [`printed ${output}`];
  }

  /** Where a value is not what the guide shows. Learns the ids of the run. */
  compare(shown, real, place) {
    if (Array.isArray(shown)) {
      if (!Array.isArray(real) || shown.length > real.length) return [`${place}: ${JSON.stringify(real)}`];
      return shown.flatMap((item, index) => this.compare(item, real[index], `${place}/${index}`));
    }
    if (shown !== null && typeof shown === "object")
      return Object.entries(shown).flatMap(([name, value]) => this.compare(value, real?.[name], `${place}/${name}`));
    if (typeof shown === "string" && typeof real === "string") return this.compareTexts(shown, real, place);
    return shown === real ? [] : [`${place}: ${JSON.stringify(real)}`];
  }

  compareTexts(shown, real, place) {
    const [ids, realIds] = [shown.match(uuids) ?? [], real.match(uuids) ?? []];
    if (ids.length === 1 && realIds.length === 1 && !this.known(ids[0])) this.replaced.set(ids[0], realIds[0]);
    const own = this.own(shown);
    const [begin, end] = own.split("…");
    const isSame =
      own === real ||
      (time.test(shown) && time.test(real)) ||
      (eventId.test(shown) && eventId.test(real)) ||
      (end !== undefined && real.startsWith(begin) && real.endsWith(end));
    return isSame ? [] : [`${place}: ${JSON.stringify(real)}`];
  }

  known(id) {
    return this.replaced.has(id) || [...this.replaced.values()].includes(id);
  }
}
