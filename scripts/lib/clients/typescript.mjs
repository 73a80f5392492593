// Writes the types and the methods of the TypeScript library.
import { events, generated, types } from "./document.mjs";
import { blockComment, notice } from "./text.mjs";

const literal = (value) => JSON.stringify(value);
const isIdentifier = (name) => /^[A-Za-z_]\w*$/.test(name);

const written = {
  string: () => "string",
  integer: () => "number",
  number: () => "number",
  boolean: () => "boolean",
  null: () => "null",
  never: () => "never",
  timeToCome: () => "string | Date",
  enum: ({ values }) => values.map(literal).join(" | "),
  array: ({ items }) => (isPlain(items) ? `${typeText(items)}[]` : `(${typeText(items)})[]`),
  map: ({ values }) => `Record<string, ${typeText(values)}>`,
  union: ({ of }) => [...new Set(of.flatMap((type) => typeText(type).split(" | ")))].join(" | "),
  ref: ({ name }) => name,
  object: ({ members }) => `{ ${members.map(memberText).join("; ")} }`,
};
const isPlain = ({ kind, values }) =>
  !["union", "timeToCome"].includes(kind) && !(kind === "enum" && values.length > 1);
const typeText = (type) => written[type.kind](type);

function memberText({ name, required, type }) {
  return `${isIdentifier(name) ? name : literal(name)}${required ? "" : "?"}: ${typeText(type)}`;
}

function declaration({ name, doc, type }) {
  const comment = doc ? `${blockComment([doc], "")}\n` : "";
  if (type.kind !== "object") return `${comment}export type ${name} = ${typeText(type)};\n`;
  const members = type.members.map(
    (member) => `${member.doc ? `${blockComment([member.doc], "  ")}\n` : ""}  ${memberText(member)};\n`,
  );
  return `${comment}export interface ${name} {\n${members.join("")}}\n`;
}

const typesFile = () => `// ${notice}\n\n${[...types, ...events].map(declaration).join("\n")}`;

/** The options of a method: its query and the caller's signal. */
function optionsText({ inQuery }) {
  if (inQuery.length === 0) return { type: "CallOptions", isRequired: false };
  const isRequired = inQuery.some(({ required }) => required);
  return { type: `CallOptions & { ${inQuery.map(memberText).join("; ")} }`, isRequired };
}

const resultText = ({ answer: { kind, type } }) =>
  ({
    one: () => `Promise<${typeText(type)}>`,
    bare: () => `Promise<${typeText(type)}>`,
    maybe: () => `Promise<${typeText(type)} | null>`,
    list: () => `AsyncGenerator<${typeText(type)}, void>`,
    nothing: () => "Promise<void>",
  })[kind]();

function signature(operation) {
  const { inPath, body, name } = operation;
  const options = optionsText(operation);
  const isOptional = body && !body.required && !options.isRequired;
  const list = [
    ...inPath.map((parameter) => `${parameter.name}: ${typeText(parameter.type)}`),
    ...(body ? [`body${isOptional ? "?" : ""}: ${typeText(body.type)}${body.required ? "" : " | null"}`] : []),
    `options${options.isRequired ? "" : "?"}: ${options.type}`,
  ];
  return `${blockComment([operation.summary], "  ")}\n  ${name}(${list.join(", ")}): ${resultText(operation)};\n`;
}

function declarationsFile() {
  const text = generated.map(signature).join("");
  const used = types.map(({ name }) => name).filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  return `// ${notice}
import { type CallOptions, Transport } from "./transport.mjs";
import type {
${used
  .sort()
  .map((name) => `  ${name},\n`)
  .join("")}} from "./types.d.mts";

/** A method for each operation of the API. */
export declare class Operations extends Transport {
${text}}
`;
}

const pathText = (path) =>
  path.includes("{") ? `\`${path.replace(/\{(\w+)\}/g, (_, name) => `\${segment(${name})}`)}\`` : literal(path);

function method(operation) {
  const { name, inPath, body, inQuery, answer, isRepeatable } = operation;
  const hasQuery = inQuery.length > 0;
  const parameters = [
    ...inPath.map((parameter) => parameter.name),
    ...(body ? ["body"] : []),
    `{ signal${hasQuery ? ", ...query" : ""} } = {}`,
  ];
  const passed = [
    ...(hasQuery ? ["query"] : []),
    ...(body ? ["body"] : []),
    ...(operation.method === "POST" && isRepeatable ? ["repeatable: true"] : []),
    "signal",
  ];
  const head = `  ${answer.kind === "list" ? "" : "async "}${name}(${parameters.join(", ")}) {\n`;
  const whole = statementOf(operation, pathText(operation.path), passed);
  const isShort = whole.length <= 116;
  const path = isShort ? "" : `    const path = ${pathText(operation.path)};\n`;
  return `${head}${path}    ${isShort ? whole : statementOf(operation, "path", passed)}\n  }\n`;
}

function statementOf({ method, answer }, path, passed) {
  if (answer.kind === "list") return `return this.pages(${path}, { ${passed.join(", ")} });`;
  const call = `await this.request(${literal(method)}, ${path}, { ${passed.join(", ")} })`;
  return {
    one: `return (${call}).data;`,
    bare: `return ${call};`,
    maybe: `return (${call})?.data ?? null;`,
    nothing: `${call};`,
  }[answer.kind];
}

function modulesFile() {
  return `// ${notice} operations.d.mts says what each method does.
import { segment, Transport } from "./transport.mjs";

export class Operations extends Transport {
${generated.map(method).join("\n")}}
`;
}

/** The files of the library that are made, by their paths. */
export const typescript = () => ({
  "clients/typescript/src/types.d.mts": typesFile(),
  "clients/typescript/src/operations.d.mts": declarationsFile(),
  "clients/typescript/src/operations.mjs": modulesFile(),
});
