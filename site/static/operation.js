// The form of an operation in the reference: it sends the operation with what its fields say.

import { isLive } from "./key.js";
import { all, words } from "./page.js";
import { bindForm, send, showAnswer } from "./request.js";

/** What a form's fields say: the path with its parameters, the headers and the body. */
function requestOf(form) {
  const query = new URLSearchParams();
  const headers = {};
  let path = form.dataset.path;
  for (const { value, dataset } of all("[data-in]", form)) {
    if (dataset.in === "path") path = path.replace(`{${dataset.name}}`, encodeURIComponent(value.trim()));
    else if (value !== "" && dataset.in === "query") query.set(dataset.name, value);
    else if (value !== "") headers[dataset.name] = value;
  }
  const search = query.size > 0 ? `?${query}` : "";
  return { path: path + search, options: { headers, ...bodyOf(form) } };
}

/** The body: a file that the reader has chosen goes as it is, byte by byte. */
function bodyOf(form) {
  const written = form.querySelector("[data-body]");
  const file = form.querySelector("[data-file]")?.files[0];
  return { body: file ?? written?.value, type: written?.dataset.body };
}

/** What stands in the example of a body where the reader writes a number. */
const unwritten = "09…";

/** The first field that is empty and must not be, or the body if a number is still to be written. */
function faultOf(form) {
  const input = all("[data-in][required]", form).find(({ value }) => value.trim() === "");
  if (input) return { input, text: words.missing.replace("{name}", input.dataset.name) };
  const { body } = bodyOf(form);
  const isWritten = typeof body !== "string" || !body.includes(unwritten);
  return isWritten ? undefined : { input: form.querySelector("[data-body]"), text: words.noNumber };
}

const questions = {
  send: (key) => (isLive(key) ? words.asksSend : undefined),
  delete: () => words.asksDelete,
};

export function bindOperation(form) {
  bindForm(form, {
    fault: () => faultOf(form),
    question: (key) => questions[form.dataset.asks]?.(key),
    work: async (key, answer) => {
      const { path, options } = requestOf(form);
      showAnswer(answer, await send(form.dataset.method, path, { key, ...options }));
    },
  });
}
