// Runs the code of a guide as a reader of one language does. The languages are those of the guide's tabs. Each run has an account
// of its own, and a test key if the guide says `KEY=peyk_test_…`, else a live one.
//
// - A block in a tab is for the readers of its language. Any other block is for all of them, and stands before the first tab that
//   is run.
// - A command is run by itself.
// - The programs of a language are joined in their order and run once. They print what stands behind them, joined.
//
// A block's fence says what it is:
//
// - `sh`: a command. If `json` or `text` follows, that is what it prints.
// - `sh until`: the same, repeated until it prints what follows.
// - `js`, `python`, `php`: a program that uses a client library. A `text` that follows is what it prints.
// - `js receiver` and so on: a program of its own that takes webhooks. The test hands it an event.
// - `go framework` and so on: the same, as a framework or another language has it. tests/native/frameworks.test.mjs hands it an event.
// - `html page`: a page. tests/runtime/verify.test.mjs uses it in a browser.
// - `json event`: an event of a webhook. The test compares it with a real one.
// - `… for=js`: a block for the tab of another language.
// - `… not-run: reason`: nothing runs it, and the reason says why.
//
// What is printed has at least the members that the guide shows, and just the lines of a `text`. A uid, a time, a secret and the id
// of an event stand for those of the run: the first real one in its place is meant wherever the guide shows it again. `…` stands for
// any text.
import assert from "node:assert/strict";
import { guideSource } from "../../site/lib/build.mjs";
import { codeOf, fenceOf } from "../../site/lib/markdown.mjs";
import { libraries, runProgram, withProgram } from "./client-libraries.mjs";
import { until } from "./server.mjs";

/** The library that a program of a tab uses. */
export const libraryOf = { js: "typescript", ts: "typescript", python: "python", php: "php" };
const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const uuids = new RegExp(uuid, "g");
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const eventId = /^evt_[0-9a-f]{32}$/;

/**
 * The blocks of a guide: `{language, flag, reason, code, expected, tab}`. `expected` is the block of output that follows. `tab` is
 * null outside of tabs.
 */
export function blocksOf(name, edition) {
  const blocks = [];
  for (const token of codeOf(guideSource(name, edition)))
    for (const [tab, tokens] of token.tabs?.map(({ tab, blocks }) => [tab, blocks]) ?? [[null, [token]]])
      for (const { lang, text } of tokens) add(blocks, { ...fenceOf(lang), tab, code: text });
  return blocks;
}

/** Adds a block, or what the one before prints. */
function add(blocks, block) {
  const before = blocks.at(-1);
  const isOutput = ["json", "text"].includes(block.language) && block.flag === "";
  if (isOutput && before && !before.expected && before.tab === block.tab) before.expected = block;
  else blocks.push(block);
}

/** Whether a reader runs a block as it stands. A receiver waits for an event, and a page for a person. */
export const isRun = ({ flag }) => !["not-run", "receiver", "framework", "event", "page"].includes(flag);

/** The languages whose readers have something to run. A guide without tabs is one of commands. */
export function languagesOf(blocks) {
  const found = new Set(blocks.filter(isRun).flatMap(({ tab }) => tab ?? []));
  return found.size > 0 ? [...found] : ["sh"];
}

const isCommand = ({ language }) => language === "sh";

/** The mode of the key that a guide lets its reader write down. */
export const modeOf = (blocks) => (blocks.some(({ code }) => code.includes("KEY=peyk_test_…")) ? "test" : "live");

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

  /** Runs all that a reader of this language runs, and holds its output against the guide. */
  async all(blocks, language) {
    const own = blocks.filter(isRun).filter(({ tab }) => tab === null || tab === language);
    const [commands, programs] = [own.filter(isCommand), own.filter((block) => !isCommand(block))];
    assert.deepEqual(own, [...commands, ...programs], "commands for all readers stand before the programs");
    for (const command of commands) await this.command(command);
    if (programs.length > 0) await this.program(programs);
  }

  async command({ flag, code, expected }) {
    const output = () => runProgram("bash", ["-euo", "pipefail", "-c", this.own(code)], { env: this.env });
    if (flag === "until")
      await until(async () => this.differences(expected, await output()).length === 0, {
        interval: 500,
        what: `what the guide shows after ${code}`,
      });
    else if (expected) this.hold(code, expected, await output());
    else await output();
  }

  /** Runs blocks as one program. */
  async program(blocks) {
    const library = libraryOf[blocks[0].language];
    const { program, env } = libraries[library];
    const code = blocks.map((block) => block.code).join("\n\n");
    const output = await withProgram(library, this.own(code), (file, cwd) =>
      runProgram(program, [file], { env: { ...env, ...this.env }, cwd }),
    );
    const shown = blocks.flatMap(({ expected }) => expected?.code ?? []).join("\n");
    this.hold(code, { language: "text", code: shown }, output);
  }

  hold(code, expected, output) {
    assert.deepEqual(this.differences(expected, output), [], `${code}\nprinted\n${output}`);
  }

  differences({ language, code }, output) {
    if (language === "json") return this.compare(JSON.parse(this.own(code)), JSON.parse(output), "");
    const [shown, real] = [code, output].map((text) => text.trimEnd().split("\n"));
    return shown.length === real.length ? this.compare(shown, real, "") : [`printed ${real.length} lines`];
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
