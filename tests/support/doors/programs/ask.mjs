// Sends a request as a program that is not here writes it: through the server that stands for its provider, byte for byte.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request } from "node:https";
import { createBrotliDecompress, createUnzip } from "node:zlib";

export const form = "application/x-www-form-urlencoded";
export const json = "application/json";

/**
 * Makes `ask(method, url, headers, body)` for an environment that `standFor` has made. The headers go in their order and with their
 * capitals, and with them go only what the connection needs, as the length of the body. Returns `{http, said}`: the status, and what the body
 * says as JSON, or its text.
 */
export function asker({ PEYK_DOORS, SSL_CERT_FILE }) {
  const doors = JSON.parse(PEYK_DOORS);
  const ca = readFileSync(SSL_CERT_FILE);
  return async (method, url, headers, body = "") => {
    // The path is as it is written: `URL` would write it anew.
    const [, host, path] = /^https:\/\/([^/]+)(.*)$/.exec(url);
    const to = { host: "127.0.0.1", port: doors[`${host}:443`], servername: host, ca, agent: false };
    const length = body && { "Content-Length": Buffer.byteLength(body) };
    const sent = request({ ...to, method, path, headers: { Host: host, ...headers, ...length } }).end(body);
    const [answer] = await once(sent, "response");
    const text = await textOf(answer);
    return { http: answer.statusCode, said: text.startsWith("{") ? JSON.parse(text) : text };
  };
}

/** Programs ask for answers that are packed. */
const unpackers = { gzip: createUnzip, deflate: createUnzip, br: createBrotliDecompress };

async function textOf(answer) {
  const unpack = unpackers[answer.headers["content-encoding"]];
  const stream = unpack ? answer.pipe(unpack()) : answer;
  let text = "";
  for await (const chunk of stream.setEncoding("utf8")) text += chunk;
  return text;
}
