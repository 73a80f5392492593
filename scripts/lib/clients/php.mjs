// Writes the types and the methods of the PHP library.
import { generated, types } from "./document.mjs";
import { blockComment, notice } from "./text.mjs";

const quoted = (text) => `'${text}'`;

const written = {
  string: () => "string",
  integer: () => "int",
  number: () => "float",
  boolean: () => "bool",
  null: () => "null",
  never: () => "never",
  timeToCome: () => "string",
  enum: ({ values }) => values.map((value) => (value === true ? "true" : quoted(value))).join("|"),
  array: ({ items }) => `list<${typeText(items)}>`,
  map: ({ values }) => `array<string, ${typeText(values)}>`,
  union: ({ of }) => of.map(typeText).join("|"),
  ref: ({ name }) => name,
  object: ({ members }) => `array{${members.filter(isThere).map(memberText).join(", ")}}`,
};
const typeText = (type) => written[type.kind](type);
const isThere = ({ type }) => type.kind !== "never";
const memberText = ({ name, required, type }) => `${name}${required ? "" : "?"}: ${typeText(type)}`;

/** An alias of PHPStan, with a member a line. */
function alias({ name, type }) {
  if (type.kind !== "object") return [`@phpstan-type ${name} ${typeText(type)}`];
  const members = type.members.filter(isThere).map((member) => `    ${memberText(member)},`);
  return [`@phpstan-type ${name} array{`, ...members, "}"];
}

/** What PHP itself checks of a parameter. PHPStan checks the rest. */
function nativeType(type) {
  if (["string", "enum", "timeToCome"].includes(type.kind)) return "string";
  if (type.kind === "ref") return nativeType(types.find(({ name }) => name === type.name).type);
  return { integer: "int", boolean: "bool", number: "float", union: "string" }[type.kind] ?? "array";
}

function parametersOf({ inPath, body, inQuery }) {
  const all = [
    ...inPath,
    ...(body ? [{ name: "body", native: "array", ...body }] : []),
    ...inQuery.toSorted((one, other) => other.required - one.required),
  ];
  return all.map(({ name, type, required, native = nativeType(type) }) => ({
    name,
    doc: `@param ${typeText(type)}${required ? "" : "|null"} $${name}`,
    says: typeText(type) !== native,
    text: required ? `${native} $${name}` : `?${native} $${name} = null`,
  }));
}

const results = {
  one: (type) => ({ native: "array", doc: typeText(type) }),
  bare: (type) => ({ native: "array", doc: typeText(type) }),
  maybe: (type) => ({ native: "?array", doc: `${typeText(type)}|null` }),
  list: (type) => ({ native: "\\Generator", doc: `\\Generator<int, ${typeText(type)}>` }),
  nothing: () => ({ native: "void" }),
};

/** The code of a path: its pieces in quotes, and its parameters escaped. */
const pathText = (path) =>
  path
    .split(/(\{\w+\})/)
    .filter((piece) => piece !== "")
    .map((piece) => (piece.startsWith("{") ? `self::segment($${piece.slice(1, -1)})` : quoted(piece)))
    .join(" . ");

function statementOf({ method, path, inQuery, body, answer, isRepeatable }) {
  const query = inQuery.map(({ name }) => `'${name}' => $${name}`);
  const passed = [
    pathText(path),
    ...(query.length > 0 ? [`query: [${query.join(", ")}]`] : []),
    ...(body ? ["body: $body"] : []),
    ...(method === "POST" && isRepeatable ? ["repeatable: true"] : []),
  ];
  if (answer.kind === "list") return `return $this->pages(${passed.join(", ")});`;
  const call = `$this->request('${method}', ${passed.join(", ")})`;
  return {
    one: `return ${call}['data'];`,
    bare: `return ${call};`,
    maybe: `return ${call}['data'] ?? null;`,
    nothing: `${call};`,
  }[answer.kind];
}

function method(operation) {
  const parameters = parametersOf(operation);
  const result = results[operation.answer.kind](operation.answer.type);
  const tags = [
    ...parameters.filter(({ says }) => says).map(({ doc }) => doc),
    ...(result.doc ? [`@return ${result.doc}`] : []),
  ];
  const list = parameters.map(({ text }) => text);
  const line = `    public function ${operation.name}(${list.join(", ")}): ${result.native}`;
  const head =
    line.length <= 120
      ? `${line}\n    {\n`
      : `    public function ${operation.name}(\n${list.map((one) => `        ${one},\n`).join("")}    ): ${result.native} {\n`;
  const comment = blockComment([operation.summary, ...(tags.length > 0 ? [tags] : [])], "    ");
  return `${comment}\n${head}        ${statementOf(operation)}\n    }\n`;
}

/** The files of the library that are made, by their paths. */
export const php = () => ({
  "clients/php/src/Operations.php": `<?php

// ${notice}

declare(strict_types=1);

namespace Peyk;

${blockComment(["A method for each operation of the API.", types.flatMap(alias)], "")}
abstract class Operations extends Transport
{
${generated.map(method).join("\n")}}
`,
});
