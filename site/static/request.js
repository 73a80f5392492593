// Sends requests to the service from forms, and shows what it answers.
import { element, language, quietly, withCode, words } from "./page.js";

/** Sends a request to the service. Returns `{status, statusText, text, json}`. */
export async function send(method, path, { key, body, type, headers = {} } = {}) {
  const response = await fetch(path, {
    method,
    body,
    headers: {
      "Accept-Language": language,
      Accept: "application/json",
      ...(key ? { Authorization: `Bearer ${key}` } : {}),
      ...(body === undefined ? {} : { "Content-Type": type }),
      ...headers,
    },
  });
  const answer = await response.text();
  return {
    status: response.status,
    statusText: response.statusText,
    text: answer,
    json: quietly(() => JSON.parse(answer)),
  };
}

/**
 * Lets a form send. `fault` says what is missing: `{input, text}`, or nothing. `question` is what the reader must confirm with this key,
 * if anything. `work` gets the key and the element of the answer.
 */
export function bindForm(form, { fault, question, work }) {
  const [answer, button] = [form.querySelector(".answer"), form.querySelector("[type=submit]")];
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const input = form.querySelector("[data-key]");
    const key = input?.value.trim();
    const missing = input && !key ? { input, text: words.noKey } : fault();
    if (missing) {
      answer.replaceChildren(element("p", missing.text, { class: "bad" }));
      missing.input.focus();
      return;
    }
    button.disabled = true;
    try {
      const asked = question(key);
      if (asked && !(await isConfirmed(answer, asked))) return;
      answer.replaceChildren(element("p", words.sending));
      await work(key, answer);
    } catch {
      answer.replaceChildren(element("p", words.network, { class: "bad" }));
    } finally {
      button.disabled = false;
    }
  });
}

/** Asks the reader. Resolves to whether the answer is yes. */
function isConfirmed(answer, text) {
  const yes = element("button", words.confirm, { type: "button", "data-confirm": "" });
  const no = element("button", words.cancel, { type: "button", class: "quiet" });
  answer.replaceChildren(element("p", text, { class: "bad" }), element("p", [yes, " ", no]));
  no.focus();
  return new Promise((resolve) => {
    const end = (isYes) => {
      answer.replaceChildren();
      resolve(isYes);
    };
    yes.addEventListener("click", () => end(true));
    no.addEventListener("click", () => end(false));
  });
}

/** Shows an answer: a problem in words first, and the whole of it below. */
export function showAnswer(answer, { status, statusText, text, json }) {
  const isGood = status < 400;
  const line = element("p", `${status} ${statusText}`, { class: isGood ? "good" : "bad", dir: "ltr" });
  const shown = json === undefined ? text : JSON.stringify(json, null, 2);
  const parts = [line];
  if (!isGood && json?.detail) parts.push(...problemParts(json));
  if (shown) {
    const block = element("div", element("pre", element("code", shown), { tabindex: "0" }), { class: "code" });
    parts.push(isGood ? block : element("details", [element("summary", words.wholeAnswer), block]));
  }
  answer.replaceChildren(...parts);
}

/** What a person reads of a problem: what is wrong, each fault, and the page that explains it. */
function problemParts({ title, detail, errors = [], type }) {
  const faults = errors.map((error) => element("li", [element("code", error.pointer), ` ${error.detail}`]));
  return [
    element("p", [element("b", title), element("br", []), ...withCode(detail)]),
    ...(faults.length > 1 ? [element("ul", faults)] : []),
    element("p", element("a", words.explain, { href: pageOf(type) })),
  ];
}

/** The page of a problem, here and in the reader's language. */
function pageOf(type) {
  const [, slug] = /\/docs\/problems\/([a-z0-9-]+)$/.exec(type) ?? [];
  return slug ? `${language === "fa" ? "/docs/fa" : "/docs"}/problems/${slug}` : type;
}
