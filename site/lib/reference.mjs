// The pages of the API reference: one for each tag of the OpenAPI document, and one for the events of webhooks.
import { codeBlock, escaped, inline, json, unsearched } from "./html.mjs";
import { localized, slugOf } from "./paths.mjs";
import { translated } from "./persian.mjs";
import { beginningTabs, requestTabs } from "./samples.mjs";
import { Schemas } from "./schema.mjs";
import { texts } from "./texts.mjs";
import { tryForm } from "./try.mjs";

/** Headers that every request may have are described once, on the page of the reference. */
const everywhere = ["#/components/parameters/AcceptLanguage", "#/components/parameters/RequestId"];

const methods = ["get", "post", "put", "patch", "delete"];

/** All operations of the document, with `method` and `path`, the important ones first: in the order of the table of routes. */
export const operationsOf = (api) =>
  Object.entries(api.paths)
    .flatMap(([path, item]) =>
      methods
        .filter((method) => item[method])
        .map((method) => ({ ...item[method], method: method.toUpperCase(), path })),
    )
    .sort((one, other) => one["x-order"] - other["x-order"]);

/** The groups that have routes. The one of events has a page of another kind. */
export const groupsOf = (api, operations) =>
  api.tags.filter(({ name }) => operations.some(({ tags }) => tags[0] === name));

const addressOf = (tag) => `/docs/reference/${slugOf(tag)}`;

/**
 * The pages of the reference in this language: the first is the overview. A tag such as `Operators: lines` belongs to a group
 * of the menu, which has its page under the name behind the colon.
 */
export function referencePages(api, language, problems) {
  const text = texts[language];
  const operations = operationsOf(api);
  const name = (tag) => translated(tag.name, language)[0];
  const pages = groupsOf(api, operations).map((tag) => {
    const own = operations.filter(({ tags }) => tags[0] === tag.name);
    const about = translated(tag.description, language)[0];
    const html = `<p class="lead">${inline(about)}</p>${routesTable(own, language, "")}${own.map((operation) => section(api, operation, language, problems)).join("")}${objects(new Schemas(api, language), own)}`;
    const [group, inGroup] = name(tag).split(": ");
    return { address: addressOf(tag.name), title: name(tag), about, html, ...(inGroup && { group, inGroup }) };
  });
  const events = {
    address: "/docs/reference/events",
    title: text.events,
    about: text.eventsLead,
    html: `<p class="lead">${text.eventsLead}</p>${Object.entries(api.webhooks)
      .map((event) => eventSection(api, event, language))
      .join("")}`,
  };
  return [overview(api, operations, language, name), ...pages, events];
}

function overview(api, operations, language, name) {
  const text = texts[language];
  const about = api.info.description
    .split("\n\n")
    .map((part) => new Schemas(api, language).about(part))
    .join("");
  const tables = groupsOf(api, operations).map((tag) => {
    const address = addressOf(tag.name);
    const own = operations.filter(({ tags }) => tags[0] === tag.name);
    return `<h2><a href="${localized(address, language)}">${escaped(name(tag))}</a></h2>${routesTable(own, language, address)}`;
  });
  const html = `<p class="lead">${text.referenceLead}</p><p><a href="/openapi.json">${text.openapi}</a></p>${about}${everywhereList(api, language)}<h2 id="examples">${text.examples}</h2><p>${inline(text.examplesLead)} <a href="${localized("/docs/guides/first-message", language)}">${text.homeTryLink}</a></p>${unsearched(beginningTabs())}${tables.join("")}`;
  return { address: "/docs/reference", title: text.reference, about: text.referenceLead, html };
}

function everywhereList(api, language) {
  const schemas = new Schemas(api, language);
  return `<ul class="members">${everywhere.map(($ref) => parameterRow(schemas, schemas.resolve({ $ref }))).join("")}</ul>`;
}

function routesTable(operations, language, address) {
  const text = texts[language];
  const row = ({ operationId, method, path, summary }) =>
    `<tr><td><a href="${localized(address, language)}#${operationId}">${route(method, path)}</a></td><td>${inline(translated(summary, language)[0])}</td></tr>`;
  return `<div class="table" tabindex="0"><table class="routes"><thead><tr><th>${text.route}</th><th>${text.whatItDoes}</th></tr></thead><tbody>${operations.map(row).join("")}</tbody></table></div>`;
}

/** A method and a path. The path may break behind a slash. */
const route = (method, path) =>
  `<span class="route" dir="ltr"><span class="method ${method.toLowerCase()}">${method}</span> <code>${escaped(path).replace(/(?!^)\//g, "<wbr>/")}</code></span>`;

function section(api, operation, language, problems) {
  const schemas = new Schemas(api, language);
  const { operationId, method, path, summary, description } = operation;
  const parts = [
    `<p class="summary">${inline(translated(summary, language)[0])}</p>`,
    schemas.about(description),
    needs(operation, language),
    parameters(schemas, operation),
    body(schemas, operation),
    ...request(schemas, operation),
    answers(schemas, operation, problems),
  ];
  return `<section class="operation" aria-labelledby="${operationId}"><h2 id="${operationId}">${route(method, path)}</h2>${parts.join("")}</section>`;
}

function needs({ security }, language) {
  const text = texts[language];
  const scope = security?.[0]?.key?.[0];
  return `<p class="needs">${scope ? `${text.needsScope} <code>${escaped(scope)}</code>` : text.needsNoKey}</p>`;
}

const parametersOf = (schemas, { parameters = [] }) =>
  parameters.filter(({ $ref }) => !everywhere.includes($ref)).map((parameter) => schemas.resolve(parameter));

function parameters(schemas, operation) {
  const own = parametersOf(schemas, operation);
  if (own.length === 0) return "";
  return `<h3>${schemas.text.parameters}</h3><ul class="members">${own.map((parameter) => parameterRow(schemas, parameter)).join("")}</ul>`;
}

function parameterRow(schemas, { name, in: place, required, description, schema }) {
  const { text } = schemas;
  const mark = required ? ` <strong>${text.requiredMember}</strong>` : "";
  return `<li><code>${escaped(name)}</code> <span class="type">${text.in[place]}, ${schemas.type(schema)}</span>${mark}${schemas.about(description)}</li>`;
}

function body(schemas, { requestBody }) {
  if (!requestBody) return "";
  const [[type, content]] = Object.entries(requestBody.content);
  return `<h3>${schemas.text.body} <code>${escaped(type)}</code></h3>${schemas.about(requestBody.description)}${schemas.members(content.schema)}`;
}

/** The request in each language, and the form that sends it. What gateways send has a form of theirs. */
function request(schemas, operation) {
  if (operation.tags[0] === "Gateways") return [];
  const own = parametersOf(schemas, operation);
  return [
    `<h3>${schemas.text.request}</h3>${unsearched(requestTabs(operation, own))}`,
    unsearched(tryForm(schemas, operation, own)),
  ];
}

const exampleOf = (example) => (typeof example === "string" ? codeBlock(example) : codeBlock(json(example), "json"));

function answers(schemas, { responses }, problems) {
  const { text } = schemas;
  const all = Object.entries(responses).map(([status, response]) => [status, schemas.resolve(response)]);
  const good = all
    .filter(([status]) => Number(status) < 400)
    .map(([status, response]) => success(schemas, status, response));
  const codes = all
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([, { content }]) => {
      const { schema } = content["application/problem+json"];
      return schema.properties.code.enum;
    });
  const bad = problems
    .filter(({ code }) => codes.includes(code))
    .map((problem) => errorLink(problem, schemas.language));
  const errors = bad.length === 0 ? "" : unsearched(`<h3>${text.errors}</h3><ul class="codes">${bad.join("")}</ul>`);
  return `<h3>${text.answers}</h3>${good.join("")}${errors}`;
}

const errorLink = ({ slug, code, title }, language) =>
  `<li><a href="${localized(`/docs/problems/${slug}`, language)}"><b>${code}</b> ${escaped(title[language])}</a></li>`;

function success(schemas, status, { description, content }) {
  const contents = Object.values(content ?? {});
  const [words] = translated(description, schemas.language);
  const members = objectOf(contents[0]?.schema, schemas);
  const shown = contents.filter(({ example }) => example).map(({ example }) => unsearched(exampleOf(example)));
  return `<p><b>${status}</b> ${inline(words)}${members}</p>${shown.join("")}`;
}

/** The schema that an answer has as its data, and whether it has a list of them. */
function dataOf(schema) {
  const { $ref, items } = schema?.properties?.data ?? {};
  const name = ($ref ?? items?.$ref)?.split("/").at(-1);
  return { name, isList: $ref === undefined };
}

function objectOf(schema, { text }) {
  const { name, isList } = dataOf(schema);
  if (!name) return "";
  return ` <span class="type"><code>data</code>: ${isList ? `${text.listOf} ` : ""}<a href="#object-${name}">${name}</a></span>`;
}

/** What the answers of a page's operations have as their data, each once. */
function objects(schemas, operations) {
  const names = operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap(({ content }) =>
      Object.values(content ?? {}).map(({ schema }) => dataOf(schema).name),
    ),
  );
  const section = (name) => {
    const schema = { $ref: `#/components/schemas/${name}` };
    return `<h3 id="object-${name}"><code>${name}</code></h3>${schemas.about(schemas.resolve(schema).description)}${schemas.members(schema)}`;
  };
  const own = [...new Set(names.filter(Boolean))].sort().map(section);
  return own.length === 0 ? "" : `<h2 id="objects">${schemas.text.objects}</h2>${own.join("")}`;
}

function eventSection(api, [name, { post }], language) {
  const schemas = new Schemas(api, language);
  const content = post.requestBody.content["application/json"];
  const id = `event-${name}`;
  return `<section class="operation" aria-labelledby="${id}"><h2 id="${id}"><code>${escaped(name)}</code></h2>${schemas.about(post.summary)}${schemas.about(post.description)}${schemas.members(content.schema)}${exampleOf(content.example)}</section>`;
}
