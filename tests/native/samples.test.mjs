// The requests that the reference shows in each language are the same request: that of the operation's example.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { inRoot } from "../../scripts/lib/base/paths.mjs";
import { operationsOf } from "../../site/lib/reference.mjs";
import { base, beginnings, samplesOf } from "../../site/lib/samples.mjs";
import { Schemas } from "../../site/lib/schema.mjs";
import { libraries, runProgram, withProgram } from "../support/client-libraries.mjs";

const api = JSON.parse(readFileSync(inRoot("openapi.json"), "utf8"));
const schemas = new Schemas(api, "en");
const key = "peyk_test_sample";

/** The operations that the reference has samples of, with what the document says of each. */
const operations = operationsOf(api)
  .filter(({ tags }) => tags[0] !== "Gateways")
  .map((operation) => {
    const parameters = (operation.parameters ?? []).map((parameter) => schemas.resolve(parameter));
    return { ...operation, parameters, samples: samplesOf(operation, parameters) };
  });

const hits = [];
let server;
let address;

/** Whether a path has the form of an operation's path. */
const fits = (path, template) => new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`).test(path);

/** What the document shows as the operation's answer: `[status, type, body]`. */
function answerOf({ responses }) {
  const [status, response] = Object.entries(responses).find(([status]) => status < 400);
  const [[type, { example }] = ["text/plain", { example: "" }]] = Object.entries(
    schemas.resolve(response).content ?? {},
  );
  return [Number(status), type, typeof example === "string" ? example : JSON.stringify(example)];
}

before(async () => {
  server = createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const [path] = request.url.split("?");
    const found = operations.filter((one) => one.method === request.method && fits(path, one.path));
    const operation = found.find((one) => one.path === path) ?? found[0];
    const body = Buffer.concat(pieces).toString();
    const type = request.headers["content-type"]?.split(";")[0];
    hits.push({
      operation: operation?.operationId,
      path: request.url,
      authorization: request.headers.authorization,
      type: body === "" ? undefined : type,
      body: type === "application/json" && body !== "" ? JSON.parse(body) : body,
    });
    if (!operation) return response.writeHead(404).end();
    const [status, answerType, answer] = answerOf(operation);
    response.writeHead(status, { "content-type": answerType });
    response.end(status === 204 ? undefined : answer);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${server.address().port}`;
});
after(() => server.close());

/** The request of the operation's example, without its path. */
function exampleOf({ operationId, security, requestBody }) {
  const [[type, { example }] = [undefined, {}]] = Object.entries(requestBody?.content ?? {});
  return {
    operation: operationId,
    authorization: security?.length ? `Bearer ${key}` : undefined,
    type,
    body: example ?? "",
  };
}

/** Runs a program and returns what it has asked. */
async function asked(run) {
  hits.length = 0;
  await run();
  return [...hits];
}

const withoutPath = ({ path, ...rest }) => rest;

let byCommand;

test("the command of each operation sends the operation's example", async () => {
  const commands = operations.map(({ samples }) => `${samples.sh.replaceAll(base, address)} > /dev/null`);
  byCommand = await asked(() =>
    runProgram("bash", ["-euo", "pipefail", "-c", commands.join("\n")], { env: { KEY: key } }),
  );
  assert.deepEqual(byCommand.map(withoutPath), operations.map(exampleOf));
  for (const [index, { path }] of byCommand.entries())
    assert.ok(fits(path.split("?")[0], operations[index].path), path);
});

const libraryOf = { js: "typescript", python: "python", php: "php" };

/** A client sends its key with everything, and asks for the longest pages. */
const ofProgram = ({ authorization, path, ...rest }) => ({ path: path.replace(/[?&]limit=200$/, ""), ...rest });

/** Each sample of JavaScript declares its own names. */
const apart = { js: (code) => `{\n${code}\n}` };

for (const language of Object.keys(libraryOf))
  test(`the call of each operation in ${libraryOf[language]} sends what its command sends`, async () => {
    const own = operations.filter(({ samples }) => samples[language]);
    assert.ok(own.length > 50, `${own.length}`);
    const code = own.map(({ samples }) => (apart[language] ?? String)(samples[language]));
    const { program, env } = libraries[libraryOf[language]];
    const found = await asked(() =>
      withProgram(libraryOf[language], [beginnings[language], ...code].join("\n"), (file, cwd) =>
        runProgram(program, [file], { cwd, env: { ...env, PEYK_API_KEY: key, PEYK_URL: address } }),
      ),
    );
    const expected = byCommand.filter(({ operation }) => own.some(({ operationId }) => operationId === operation));
    assert.deepEqual(found.map(ofProgram), expected.map(ofProgram));
  });
