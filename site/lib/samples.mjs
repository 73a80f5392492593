// What a request looks like in each language: the example of an operation as a command, and as a call of each client library.
// `peyk` is a client. An operator's request has a command alone, because the libraries are for customers.
import { operations } from "../../scripts/lib/clients/document.mjs";
import { snake } from "../../scripts/lib/clients/text.mjs";
import { codeBlock } from "./html.mjs";
import { codeTabs } from "./tabs.mjs";

/** The address of the service in the examples. A page shows its own in its place. */
export const base = "https://sms.example.com";

const inQuotes = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The example of a parameter that the document has. */
const exampleOf = ({ example, schema }) => example ?? schema.examples?.[0] ?? schema.default ?? schema.enum?.[0];

/** The parameters at a place that the example has. */
const within = (parameters, place) =>
  parameters.filter((parameter) => parameter.in === place && (parameter.required || parameter.example !== undefined));

/** The path of the example, with its query. */
function addressOf(path, parameters) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(exampleOf(parameters.find((parameter) => parameter.name === name))),
  );
  const query = new URLSearchParams(
    within(parameters, "query").map((parameter) => [parameter.name, exampleOf(parameter)]),
  );
  return query.size > 0 ? `${filled}?${query}` : filled;
}

/** The body of the example and its type, if the operation has one. */
function bodyOf({ requestBody }) {
  if (!requestBody) return undefined;
  const [[type, { example }]] = Object.entries(requestBody.content);
  return { type, example };
}

/** The command. */
function command(operation, parameters) {
  const { method, path, security } = operation;
  const body = bodyOf(operation);
  const text = body && (typeof body.example === "string" ? body.example : literal(body.example, literals.sh));
  const lines = [
    `curl -s ${method === "GET" || (body && method === "POST") ? "" : `-X ${method} `}'${base}${addressOf(path, parameters)}'`,
    ...(security?.length ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...(body ? [`-H 'Content-Type: ${body.type}'`, `--data-binary ${inQuotes(text)}`] : []),
  ];
  return lines.join(" \\\n  ");
}

const isName = (name) => /^[A-Za-z_]\w*$/.test(name);

/**
 * How a language writes a value: the brackets of an object, what stands inside them, a name and what stands behind it, a text, the
 * words, how deep a line is set in, and what stands behind the last of several lines.
 */
const common = { object: "{}", space: "", text: JSON.stringify, words: {}, step: "  ", last: "," };
const literals = {
  sh: { ...common, key: (name) => `${JSON.stringify(name)}: `, last: "" },
  js: { ...common, key: (name) => `${isName(name) ? name : JSON.stringify(name)}: `, space: " " },
  python: {
    ...common,
    key: (name) => `${JSON.stringify(name)}: `,
    words: { true: "True", false: "False", null: "None" },
    step: "    ",
  },
  php: { ...common, object: "[]", key: (name) => `${quoted(name)} => `, text: quoted, step: "    " },
};

function quoted(text) {
  return /[\n\r]/.test(text) ? JSON.stringify(text).replaceAll("$", "\\$") : `'${text.replace(/[\\']/g, "\\$&")}'`;
}

/** How wide a line of a value may be before it is broken. */
const width = 88;

/** A value as a language writes it. */
function literal(value, form, indent = "") {
  if (typeof value === "string") return form.text(value);
  if (value === null || typeof value !== "object") return form.words[String(value)] ?? String(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? "[]" : form.object;
  const entries = Object.entries(value).map(([name, inner]) => [isList ? "" : form.key(name), inner]);
  if (entries.length === 0) return open + close;
  const space = isList ? "" : form.space;
  const short = `${open}${space}${entries.map(([key, item]) => key + literal(item, form)).join(", ")}${space}${close}`;
  if (indent.length + short.length <= width) return short;
  const deeper = indent + form.step;
  const lines = entries.map(([key, item]) => `${deeper}${key}${literal(item, form, deeper)}`);
  return `${open}\n${lines.join(",\n")}${form.last}\n${indent}${close}`;
}

/** What stands between the brackets of a call: the values of the path, the body, and the query. */
function argumentsOf(operation, own, parameters, form, named) {
  const body = bodyOf(operation);
  const path = own.inPath.map(({ name }) => exampleOf(parameters.find((parameter) => parameter.name === name)));
  const query = within(parameters, "query");
  return [
    ...path.map((value) => literal(value, form)),
    ...(body ? [literal(handed(operation.operationId, body.example), form)] : []),
    ...(query.length > 0
      ? [named(query.map((parameter) => [parameter.name, literal(exampleOf(parameter), form)]))]
      : []),
  ].join(", ");
}

/** What a method takes in place of a body: most take the body itself. */
const handed = (operationId, example) => (operationId === "startErasure" ? example.number : example);

/** How a language calls a method, and what a reader does with the answer. */
const calls = {
  js: {
    name: ({ name }) => name,
    named: (pairs) => `{ ${pairs.map(([name, value]) => `${name}: ${value}`).join(", ")} }`,
    one: (call) => `const answer = await peyk.${call};\nconsole.log(answer);`,
    list: (call) => `for await (const item of peyk.${call}) console.log(item);`,
    nothing: (call) => `await peyk.${call};`,
    file: (call) => `const file = await peyk.${call};\nconsole.log(new TextDecoder().decode(file));`,
  },
  python: {
    name: ({ name }) => snake(name),
    named: (pairs) => pairs.map(([name, value]) => `${snake(name)}=${value}`).join(", "),
    one: (call) => `answer = peyk.${call}\nprint(answer)`,
    list: (call) => `for item in peyk.${call}:\n    print(item)`,
    nothing: (call) => `peyk.${call}`,
    file: (call) => `print(peyk.${call}.decode())`,
  },
  php: {
    name: ({ name }) => name,
    named: (pairs) => pairs.map(([name, value]) => `${name}: ${value}`).join(", "),
    one: (call) => `$answer = $peyk->${call};\nprint_r($answer);`,
    list: (call) => `foreach ($peyk->${call} as $item) {\n    print_r($item);\n}`,
    nothing: (call) => `$peyk->${call};`,
    file: (call) => `echo $peyk->${call};`,
  },
};

/** The call of a client library. */
function call(language, operation, own, parameters) {
  const { name, named, ...forms } = calls[language];
  const text = `${name(own)}(${argumentsOf(operation, own, parameters, literals[language], named)})`;
  const kind = ["maybe", "bare"].includes(own.answer.kind) ? "one" : own.answer.kind;
  return forms[kind](text);
}

/** How a program begins that makes such calls. */
export const beginnings = {
  js: `import { Client } from "@peyk/client";

const peyk = new Client({ apiKey: process.env.PEYK_API_KEY, baseUrl: process.env.PEYK_URL });
`,
  python: `import os
from peyk import Client

peyk = Client(os.environ["PEYK_API_KEY"], os.environ["PEYK_URL"])
`,
  php: `<?php
require 'vendor/autoload.php';

$peyk = new Peyk\\Client(getenv('PEYK_API_KEY'), getenv('PEYK_URL'));
`,
};

/** The same as tabs, beside the variable that the commands read. */
export const beginningTabs = () => tabsOf({ sh: "export KEY=peyk_test_…", ...beginnings });

const tabsOf = (samples) =>
  codeTabs(Object.entries(samples).map(([language, code]) => ({ language, html: codeBlock(code) })));

/** The request of an operation in each language that can make it, by the name of the language. */
export function samplesOf(operation, parameters) {
  const own = operations.find(({ id }) => id === operation.operationId);
  const languages = own ? Object.keys(calls) : [];
  return {
    sh: command(operation, parameters),
    ...Object.fromEntries(languages.map((language) => [language, call(language, operation, own, parameters)])),
  };
}

/** The same as tabs; one that is alone needs none. */
export function requestTabs(operation, parameters) {
  const samples = samplesOf(operation, parameters);
  return Object.keys(samples).length === 1 ? codeBlock(samples.sh, "sh") : tabsOf(samples);
}
