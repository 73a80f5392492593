import http from "node:http";
import https from "node:https";

/** How long an answer may take, ms. */
const timeout = 30_000;
/** After so many ms without a request a connection is closed here, before the service closes it. */
const idle = 2_000;
/** So much of an answer that is no 201 is read, to learn its code. */
const mostBytes = 16 * 1024;

/** Sends messages over as many connections as wait for answers. */
export function sender({ url, key, recipients, to, line, inFlight }) {
  const { protocol } = new URL(url);
  const module = protocol === "https:" ? https : http;
  const agent = new module.Agent({ keepAlive: true, maxSockets: inFlight, scheduling: "lifo", timeout: idle });
  const options = { method: "POST", agent };
  const send = (index) =>
    new Promise((resolve) => {
      const body = bodyOf(index, { recipients, to, line });
      const headers = {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      };
      const request = module.request(`${url}/sms/send`, { ...options, headers }, (response) => {
        answerOf(response).then(resolve, (error) => resolve({ failure: nameOf(error) }));
      });
      request.setTimeout(timeout, () => request.destroy(new Error("timeout")));
      request.on("error", (error) => resolve({ failure: nameOf(error) }));
      request.end(body);
    });
  return { send, close: () => agent.destroy() };
}

async function answerOf(response) {
  let text = "";
  response.setEncoding("utf8");
  for await (const piece of response) if (text.length < mostBytes) text += piece;
  return { status: response.statusCode, code: response.statusCode === 201 ? undefined : codeOf(text) };
}

function codeOf(text) {
  try {
    return JSON.parse(text).code;
  } catch {
    return undefined;
  }
}

const nameOf = (error) => error.code ?? error.message;

export function bodyOf(index, { recipients, to, line }) {
  const numbers = to
    ? Array.from({ length: recipients }, (_, place) => to[(index * recipients + place) % to.length])
    : Array.from({ length: recipients }, (_, place) => testNumber(index * recipients + place));
  return JSON.stringify({ message: `Peyk load test ${index}`, recipients: numbers, sourceNumber: line });
}

/** The last three digits decide how a test message ends. With these it is delivered. */
function testNumber(index) {
  const number = Math.floor(index / 900) * 1_000 + (index % 900);
  return `0912${String(number % 10_000_000).padStart(7, "0")}`;
}
