// What openapi.json says to the generator of the client libraries: the operations of customers, and the types that they
// take and answer.
import { readFileSync } from "node:fs";
import { inRoot } from "../base/paths.mjs";
import { aliases, byHand, leftOut, repeatable, summaries, typeNames } from "./names.mjs";

const document = JSON.parse(readFileSync(inRoot("openapi.json"), "utf8"));
const { schemas, parameters, responses } = document.components;
const verbs = ["get", "post", "put", "patch", "delete"];
const lastOf = (ref) => ref.split("/").at(-1);
const resolved = (value, among) => (value.$ref ? among[lastOf(value.$ref)] : value);

/** The words that a library calls a schema by. */
export const typeName = (schema) => typeNames[schema] ?? schema;

/** A union without what it has twice. */
function unionOf(types) {
  const flat = types.flatMap((type) => (type.kind === "union" ? type.of : [type]));
  const seen = new Map(flat.map((type) => [JSON.stringify(type), type]));
  return seen.size === 1 ? flat[0] : { kind: "union", of: [...seen.values()] };
}

/** A schema with a name has a type of its own, unless it is a mere string or number. */
function reference(name) {
  if (name === "TimeToCome") return { kind: "timeToCome" };
  const type = typeOf(schemas[name]);
  return ["string", "integer", "number", "boolean"].includes(type.kind) ? type : { kind: "ref", name: typeName(name) };
}

function objectOf({ properties = {}, required = [] }) {
  const members = Object.entries(properties).map(([name, schema]) => ({
    name,
    required: required.includes(name),
    type: typeOf(schema),
    doc: schema.description,
  }));
  return { kind: "object", members };
}

const simple = {
  string: () => ({ kind: "string" }),
  integer: () => ({ kind: "integer" }),
  number: () => ({ kind: "number" }),
  boolean: () => ({ kind: "boolean" }),
  null: () => ({ kind: "null" }),
  array: ({ items, maxItems }) => ({ kind: "array", items: maxItems === 0 ? { kind: "never" } : typeOf(items) }),
  object: (schema) =>
    schema.properties ? objectOf(schema) : { kind: "map", values: typeOf(schema.additionalProperties) },
};

/** Some writers of JSON write an object without members as a list. A program that is typed does not. */
const isEmptyList = ({ maxItems }) => maxItems === 0;

/**
 * The type of a schema: `{kind}` is `string`, `integer`, `number`, `boolean`, `null`, `never`, `timeToCome`, `enum`
 * (`values`), `array` (`items`), `map` (`values`), `object` (`members`), `union` (`of`) or `ref` (`name`).
 */
function typeOf(schema) {
  if (schema.$ref) return reference(lastOf(schema.$ref));
  if (schema.not) return { kind: "never" };
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return unionOf(choices.filter((choice) => !isEmptyList(choice)).map(typeOf));
  if ("const" in schema) return { kind: "enum", values: [schema.const] };
  if (schema.enum) return enumOf(schema.enum);
  return unionOf([schema.type].flat().map((type) => simple[type](schema)));
}

function enumOf(values) {
  if (values.every((value) => value === null)) return { kind: "null" };
  if (values.join() === "true,false") return { kind: "boolean" };
  const named = { kind: "enum", values: values.filter((value) => value !== null) };
  return values.includes(null) ? unionOf([named, { kind: "null" }]) : named;
}

/** What a call returns: `{kind}` is `one`, `list`, `nothing`, `maybe` (one or nothing), `bare` (without envelope) or `file`. */
function answerOf({ responses: all }) {
  const found = Object.entries(all).filter(([status]) => status.startsWith("2"));
  const contents = found.map(([, response]) => resolved(response, responses).content);
  const json = contents.find((content) => content?.["application/json"])?.["application/json"].schema;
  if (!json) return { kind: contents.some(Boolean) ? "file" : "nothing" };
  if (json.$ref) return { kind: "bare", type: typeOf(json) };
  const { data, meta } = json.properties;
  if (lastOf(meta.$ref) === "PageMeta") return { kind: "list", type: typeOf(data.items) };
  return { kind: contents.every(Boolean) ? "one" : "maybe", type: typeOf(data) };
}

function bodyOf({ requestBody }) {
  const schema = requestBody?.content["application/json"]?.schema;
  return schema && { type: typeOf(schema), required: requestBody.required === true };
}

/** The iterators of lists choose the pages, and a file has a method of its own or comes by `request`. */
const isByCaller = ({ name }) => !["limit", "cursor", "format"].includes(name);

function operationOf(path, verb, operation) {
  const all = (operation.parameters ?? []).map((parameter) => resolved(parameter, parameters));
  const within = (place) =>
    all
      .filter((parameter) => parameter.in === place)
      .map(({ name, required = false, schema }) => ({ name, required, type: typeOf(schema) }));
  return {
    id: operation.operationId,
    name: aliases[operation.operationId] ?? operation.operationId,
    method: verb.toUpperCase(),
    path,
    summary: summaries[operation.operationId] ?? operation.summary,
    inPath: within("path"),
    inQuery: within("query").filter(isByCaller),
    body: bodyOf(operation),
    answer: answerOf(operation),
    isRepeatable: verb !== "post" || repeatable.has(operation.operationId),
  };
}

const isOfCustomers = (path) => !/^\/(admin|carrier|metrics)\b/.test(path);

/** All operations of customers, in the order of the document. */
export const operations = Object.entries(document.paths)
  .filter(([path]) => isOfCustomers(path))
  .flatMap(([path, item]) => verbs.filter((verb) => item[verb]).map((verb) => operationOf(path, verb, item[verb])))
  .filter(({ id }) => !leftOut.has(id));

/** The operations whose methods are generated. */
export const generated = operations.filter(({ id }) => !byHand.has(id));

/** The names of the types that a type is made of. */
function namesIn(type) {
  if (type.kind === "ref") return [type.name];
  const inner = [...(type.of ?? []), ...(type.members ?? []).map((member) => member.type), type.items];
  if (type.kind === "map") inner.push(type.values);
  return inner.filter(Boolean).flatMap(namesIn);
}

/** The types of these names, each after those that it is made of: `{name, doc, type}`. */
function typesOf(names) {
  const byName = new Map(Object.entries(schemas).map(([name, schema]) => [typeName(name), schema]));
  const list = new Map();
  const add = (name) => {
    if (list.has(name)) return;
    const schema = byName.get(name);
    const type = typeOf(schema);
    for (const inner of namesIn(type)) add(inner);
    list.set(name, { name, doc: schema.description, type });
  };
  for (const name of names) add(name);
  return [...list.values()];
}

/** The types that operations need. */
export const types = typesOf(
  operations
    .flatMap(({ body, answer, inPath, inQuery }) => [body, answer, ...inPath, ...inQuery])
    .flatMap((one) => (one?.type ? namesIn(one.type) : [])),
);

/** The events of webhooks, and one of any type, which `type` tells from the others. */
export const events = (() => {
  const names = Object.values(document.webhooks).map(({ post }) =>
    lastOf(post.requestBody.content["application/json"].schema.$ref),
  );
  const own = typesOf(names).filter(({ name }) => !types.some((type) => type.name === name));
  const type = unionOf(names.map((name) => ({ kind: "ref", name })));
  const doc =
    "An event of a webhook. Its `type` says what its `data` are. There may be types that this version does not know.";
  return [...own, { name: "WebhookEvent", doc, type }];
})();
