// Writes the types and the methods of the Python library.
import { events, generated, types } from "./document.mjs";
import { notice, snake, wrap } from "./text.mjs";

const literal = (value) => (value === true ? "True" : JSON.stringify(value));
const keywords = new Set(["from", "class", "import", "is", "in", "not", "pass", "global"]);
const parameterName = (name) => (keywords.has(name) ? `${name}_` : snake(name));

const written = {
  string: () => "str",
  integer: () => "int",
  number: () => "float",
  boolean: () => "bool",
  null: () => "None",
  never: () => "Any",
  timeToCome: () => "str",
  enum: ({ values }) => `Literal[${values.map(literal).join(", ")}]`,
  array: ({ items }) => `List[${typeText(items)}]`,
  map: ({ values }) => `Dict[str, ${typeText(values)}]`,
  union: unionText,
  ref: ({ name }) => name,
  object: () => "Dict[str, Any]",
};
const typeText = (type) => written[type.kind](type);

function unionText({ of }) {
  const others = of.filter(({ kind }) => kind !== "null").map(typeText);
  const text = others.length > 1 ? `Union[${others.join(", ")}]` : others[0];
  return others.length < of.length ? `Optional[${text}]` : text;
}

const docstring = (doc, indent) => {
  const lines = wrap(doc, 112 - indent.length);
  return lines.length === 1
    ? `${indent}"""${lines[0]}"""\n`
    : `${indent}"""${lines.join(`\n${indent}`)}\n${indent}"""\n`;
};

function memberText({ name, type, doc }) {
  const comment = doc ? wrap(doc, 112).map((line) => `    # ${line}\n`) : [];
  return `${comment.join("")}    ${name}: ${typeText(type)}\n`;
}

const classText = (name, base, members, doc) => {
  const body =
    (doc ? docstring(doc, "    ") + (members.length > 0 ? "\n" : "") : "") + members.map(memberText).join("");
  return `class ${name}(${base}):\n${body || "    pass\n"}`;
};

/** An object of its own gets a name, made of those of its owner and of the member. */
function withNamedObjects(owner, type, found) {
  if (type.kind === "object") {
    found.push({ name: owner, type });
    return { kind: "ref", name: owner };
  }
  if (type.items) return { ...type, items: withNamedObjects(owner, type.items, found) };
  if (type.of) return { ...type, of: type.of.map((one) => withNamedObjects(owner, one, found)) };
  return type;
}

/** A typed dict. Before Python 3.11, its members are all required or all optional, so one with both has two classes. */
function typedDict({ name, doc, type }) {
  const inner = [];
  const members = type.members
    .filter((member) => member.type.kind !== "never")
    .map((member) => {
      const own = `${name}${member.name[0].toUpperCase()}${member.name.slice(1)}`;
      return { ...member, type: withNamedObjects(own, member.type, inner) };
    });
  const classes = inner.map(typedDict);
  const named = members.filter((member) => keywords.has(member.name));
  const [required, optional] = [true, false].map((is) =>
    members.filter((member) => member.required === is && !keywords.has(member.name)),
  );
  let base = "TypedDict";
  if (named.length > 0) {
    base = `_${name}Keywords`;
    const entries = named.map((member) => `"${member.name}": ${typeText(member.type)}`);
    classes.push(`${base} = TypedDict("${base}", {${entries.join(", ")}})\n`);
  }
  if (required.length > 0 && optional.length > 0) {
    classes.push(classText(`_${name}Required`, base, required));
    base = `_${name}Required`;
  }
  const isTotal = optional.length === 0;
  classes.push(classText(name, isTotal ? base : `${base}, total=False`, isTotal ? required : optional, doc));
  return classes.join("\n\n");
}

function declaration(type) {
  if (type.type.kind === "object") return typedDict(type);
  return `${type.name} = ${typeText(type.type)}\n${type.doc ? docstring(type.doc, "") : ""}`;
}

function typesFile() {
  return `"""Requests and answers. Their members are those of openapi.json.

Money is in the minor unit of the account's currency, which \`unit\` names. Times are RFC 3339.
${notice}
"""

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union


class FieldError(TypedDict):
    """A fault of one member of the request."""

    pointer: str  # a JSON pointer into the body, like /recipients/1
    detail: str


${[...types, ...events].map(declaration).join("\n\n")}`;
}

const resultText = ({ answer: { kind, type } }) =>
  ({
    one: () => typeText(type),
    bare: () => typeText(type),
    maybe: () => `Optional[${typeText(type)}]`,
    list: () => `Iterator[${typeText(type)}]`,
    nothing: () => "None",
  })[kind]();

function parametersText({ inPath, body, inQuery }) {
  const positional = inPath.map((parameter) => `${parameterName(parameter.name)}: ${typeText(parameter.type)}`);
  if (body)
    positional.push(body.required ? `body: ${typeText(body.type)}` : `body: Optional[${typeText(body.type)}] = None`);
  const named = inQuery.map(({ name, type, required }) =>
    required
      ? `${parameterName(name)}: ${typeText(type)}`
      : `${parameterName(name)}: Optional[${typeText(type)}] = None`,
  );
  return ["self", ...positional, ...(named.length > 0 ? ["*", ...named] : [])];
}

const pathText = (path) =>
  path.includes("{")
    ? `f"${path.replace(/\{(\w+)\}/g, (_, name) => `{segment(${parameterName(name)})}`)}"`
    : literal(path);

function statementOf({ method, path, inQuery, body, answer, isRepeatable }) {
  const query = inQuery.map(({ name }) => `"${name}": ${parameterName(name)}`);
  const passed = [
    pathText(path),
    ...(query.length > 0 ? [`query={${query.join(", ")}}`] : []),
    ...(body ? ["body=body"] : []),
    ...(method === "POST" && isRepeatable ? ["repeatable=True"] : []),
  ];
  if (answer.kind === "list") return `return self.pages(${passed.join(", ")})`;
  const call = `self.request(${literal(method)}, ${passed.join(", ")})`;
  return {
    one: `return ${call}["data"]`,
    bare: `return ${call}`,
    maybe: `return (${call} or {}).get("data")`,
    nothing: call,
  }[answer.kind];
}

/** What a method does, with the names that Python gives to its query and to other methods. */
function summaryOf({ summary, inQuery }) {
  const names = ["exportTransactions", ...inQuery.map(({ name }) => name)];
  return names.reduce((text, name) => text.replace(`\`${name}\``, `\`${parameterName(name)}\``), summary);
}

function method(operation) {
  const parameters = parametersText(operation);
  const line = `    def ${snake(operation.name)}(${parameters.join(", ")}) -> ${resultText(operation)}:\n`;
  const head =
    line.length <= 121
      ? line
      : `    def ${snake(operation.name)}(\n${parameters.map((one) => `        ${one},\n`).join("")}    ) -> ${resultText(operation)}:\n`;
  return `${head}${docstring(summaryOf(operation), "        ")}        ${statementOf(operation)}\n`;
}

function operationsFile() {
  const methods = generated.map(method).join("\n");
  const used = types.map(({ name }) => name).filter((name) => new RegExp(`\\b${name}\\b`).test(methods));
  return `"""A method for each operation of the API. ${notice}"""

from typing import Iterator, Literal, Optional

from ._transport import Transport, segment
from .types import (
${used
  .sort()
  .map((name) => `    ${name},\n`)
  .join("")})


class Operations(Transport):
${methods}`;
}

/** The files of the library that are made, by their paths. */
export const python = () => ({
  "clients/python/peyk/types.py": typesFile(),
  "clients/python/peyk/_operations.py": operationsFile(),
});
