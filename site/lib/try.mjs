// The forms that send a request from the page. `site/static/operation.js` and `first-message.js` make them work; the key
// never leaves the tab but for the service.
import { escaped, inline, json } from "./html.mjs";

const field = (id, label, input, isRequired, text) =>
  `<p class="field"><label for="${id}">${label}${isRequired ? "" : ` <small>${text.optional}</small>`}</label>${input}</p>`;

/** The field of the key, with what is promised of it. */
export function keyField(id, text) {
  return `<p class="field"><label for="${id}">${text.tryKey}</label><input id="${id}" type="password" data-key autocomplete="off" spellcheck="false" dir="ltr" placeholder="peyk_…" aria-describedby="${id}-note"></p>
<p class="note" id="${id}-note">${text.tryKeyNote} ${inline(text.tryWarning)} <button type="button" class="link" data-forget>${text.tryForget}</button></p>`;
}

/** Requests beside `DELETE` that end or spend what no other request brings back. */
const irreversible = ["startErasure", "adminStartErasure", "adminCancelAll", "adminRestoreAccount", "adminAddCredit"];

/** What the reader must confirm before the form sends: a send with a live key, or what can't be undone. */
function asks({ operationId, method, tags }) {
  if (method === "DELETE" || irreversible.includes(operationId)) return ' data-asks="delete"';
  const sends = tags[0] === "Sending" ? operationId !== "estimateSend" : operationId === "startVerification";
  return sends ? ' data-asks="send"' : "";
}

/** The form of an operation: its key, its parameters and its body. No parameter has a name with two dashes. */
export function tryForm(schemas, operation, parameters) {
  const { text } = schemas;
  const { operationId: id, method, path, security, requestBody } = operation;
  const inputs = parameters.map((parameter) => parameterField(`${id}-${parameter.name}`, parameter, schemas));
  const key = security?.length ? keyField(`${id}--key`, text) : "";
  return `<details class="try"><summary>${text.tryIt}<span class="visually-hidden"> <bdi>${method} ${escaped(path)}</bdi></span></summary>
<form data-method="${method}" data-path="${escaped(path)}"${asks(operation)} novalidate>${key}${inputs.join("")}${bodyFields(id, requestBody, text)}
<button type="submit">${text.trySend}</button><div class="answer" role="status"></div></form></details>`;
}

function parameterField(id, parameter, schemas) {
  const { name, in: place, required } = parameter;
  const whole = schemas.resolve(parameter.schema);
  const example = parameter.example ?? whole.examples?.[0] ?? whole.default ?? "";
  const common = `id="${escaped(id)}" data-in="${place}" data-name="${escaped(name)}" dir="ltr"${required ? " required" : ""}`;
  const input = whole.enum
    ? `<select ${common}>${required ? "" : "<option></option>"}${whole.enum.map((value) => `<option>${escaped(value)}</option>`).join("")}</select>`
    : `<input ${common} autocomplete="off" spellcheck="false" placeholder="${escaped(example)}">`;
  return field(escaped(id), `<code>${escaped(name)}</code>`, input, required, schemas.text);
}

/** What stands where the reader writes a number. No example's number is filled in: it may be somebody's. */
const unwritten = "09…";

/** The body as a text. One that is a file may be chosen from the reader's disk. */
function bodyFields(id, requestBody, text) {
  if (!requestBody) return "";
  const [[type, { example }]] = Object.entries(requestBody.content);
  const value = (typeof example === "string" ? example : json(example)).replace(/(?:\+98|\b0)9\d{9}\b/g, unwritten);
  const lines = Math.min(16, Math.max(4, value.split("\n").length + 1));
  const input = `<textarea id="${id}--body" data-body="${escaped(type)}" rows="${lines}" dir="ltr" spellcheck="false">${escaped(value)}</textarea>`;
  const written = field(`${id}--body`, `${text.body} <code>${escaped(type)}</code>`, input, true, text);
  if (type !== "text/csv") return written;
  const file = `<input id="${id}--file" type="file" data-file accept=".csv,.txt,text/csv">`;
  return written + field(`${id}--file`, text.tryFile, file, true, text);
}

/** The form of a first message: it sends, and then shows the message's status until it has ended. */
export function firstMessage(text) {
  return `<form class="first" data-first-message novalidate aria-label="${text.homeTry}">
${keyField("first-key", text)}
<p class="field"><label for="first-number">${text.firstNumber}</label><input id="first-number" name="recipient" inputmode="tel" autocomplete="off" dir="ltr" placeholder="${unwritten}"></p>
<p class="field"><label for="first-text">${text.firstText}</label><textarea id="first-text" name="message" rows="2" dir="auto">${text.firstMessage}</textarea></p>
<button type="submit">${text.firstSend}</button><div class="answer" role="status"></div></form>`;
}
