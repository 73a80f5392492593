// What the pages can do: switch colors, copy code, and send requests with the reader's key. The key stands in the
// sessionStorage of the tab and nowhere else.

const texts = {
  en: {
    copy: "Copy",
    copied: "Copied",
    sending: "Sending …",
    network: "No answer came. Check your connection.",
    noKey: "Paste an API key first.",
    explain: "What this error means",
    accepted: "Accepted. It costs",
    status: "Status of the message:",
    stopped: "The message is still on its way.",
  },
  fa: {
    copy: "کپی",
    copied: "کپی شد",
    sending: "در حال ارسال …",
    network: "پاسخی نیامد. اتصال خود را بررسی کنید.",
    noKey: "ابتدا کلید API را وارد کنید.",
    explain: "توضیح این خطا",
    accepted: "پذیرفته شد. هزینه:",
    status: "وضعیت پیامک:",
    stopped: "پیامک هنوز در راه است.",
  },
};
const language = document.documentElement.lang;
const text = texts[language];
const placeholder = "https://sms.example.com";
const keyName = "peyk-key";

const all = (selector, root = document) => [...root.querySelectorAll(selector)];

function element(tag, content, attributes = {}) {
  const made = document.createElement(tag);
  made.append(content);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/** A store that the browser may refuse to have. */
const stored = {
  get: (store, name) => quietly(() => window[store].getItem(name)) ?? null,
  set: (store, name, value) => quietly(() => window[store].setItem(name, value)),
  remove: (store, name) => quietly(() => window[store].removeItem(name)),
};

function quietly(use) {
  try {
    return use();
  } catch {
    return undefined;
  }
}

function bindTheme(button) {
  const themes = ["system", "light", "dark"];
  const show = () => {
    button.textContent = button.dataset[document.documentElement.dataset.theme ?? "system"];
  };
  button.addEventListener("click", () => {
    const now = document.documentElement.dataset.theme ?? "system";
    const next = themes[(themes.indexOf(now) + 1) % themes.length];
    if (next === "system") {
      delete document.documentElement.dataset.theme;
      stored.remove("localStorage", "peyk-theme");
    } else {
      document.documentElement.dataset.theme = next;
      stored.set("localStorage", "peyk-theme", next);
    }
    show();
  });
  show();
  button.hidden = false;
}

/** Code shows the address of the service that serves the page. */
function bindAddress(code) {
  if (code.textContent.includes(placeholder))
    code.textContent = code.textContent.replaceAll(placeholder, location.origin);
}

/** Lets a reader copy a block of code. */
function bindCode(block) {
  const button = element("button", text.copy, { type: "button", class: "copy" });
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.querySelector("code").textContent);
    button.textContent = text.copied;
  });
  button.addEventListener("blur", () => {
    button.textContent = text.copy;
  });
  block.prepend(button);
}

function showKey(key) {
  for (const input of all("[data-key]")) input.value = key;
}

function bindKeys() {
  showKey(stored.get("sessionStorage", keyName) ?? "");
  for (const input of all("[data-key]"))
    input.addEventListener("input", () => {
      stored.set("sessionStorage", keyName, input.value.trim());
      for (const other of all("[data-key]")) if (other !== input) other.value = input.value;
    });
  for (const button of all("[data-forget]"))
    button.addEventListener("click", () => {
      stored.remove("sessionStorage", keyName);
      showKey("");
    });
}

/** Sends a request to the service. Returns `{status, type, text, json}`. */
async function send(method, path, { key, body, type, headers = {} } = {}) {
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
  return { status: response.status, statusText: response.statusText, text: answer, json: parsed(answer) };
}

const parsed = (answer) => quietly(() => JSON.parse(answer));

/** What a form's fields say: the path with its parameters, the headers and the body. */
function requestOf(form) {
  const query = new URLSearchParams();
  const headers = {};
  let path = form.dataset.path;
  for (const { value, dataset } of all("[data-in]", form)) {
    if (dataset.in === "path") path = path.replace(`{${dataset.name}}`, encodeURIComponent(value));
    else if (value !== "" && dataset.in === "query") query.set(dataset.name, value);
    else if (value !== "") headers[dataset.name] = value;
  }
  const body = form.querySelector("[data-body]");
  const search = query.size > 0 ? `?${query}` : "";
  return { path: path + search, options: { headers, body: body?.value, type: body?.dataset.body } };
}

/** Lets a form send by `work`, which gets the key and the element of the answer. */
function bindForm(form, work) {
  const [answer, button] = [form.querySelector(".answer"), form.querySelector("[type=submit]")];
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const input = form.querySelector("[data-key]");
    const key = input?.value.trim();
    if (input && !key) {
      answer.replaceChildren(element("p", text.noKey, { class: "bad" }));
      input.focus();
      return;
    }
    button.disabled = true;
    answer.replaceChildren(element("p", text.sending));
    try {
      await work(key, answer);
    } catch {
      answer.replaceChildren(element("p", text.network, { class: "bad" }));
    } finally {
      button.disabled = false;
    }
  });
}

function showAnswer(answer, { status, statusText, text: body, json }) {
  const isGood = status < 400;
  const line = element("p", `${status} ${statusText}`, { class: isGood ? "good" : "bad", dir: "ltr" });
  const shown = json === undefined ? body : JSON.stringify(json, null, 2);
  const parts = [line];
  if (json?.type) parts.push(explanation(json));
  if (shown) {
    const pre = element("pre", element("code", shown), { tabindex: "0" });
    parts.push(element("div", pre, { class: "code" }));
  }
  answer.replaceChildren(...parts);
}

/** A link to the page of a problem, here and in the reader's language. */
function explanation({ type }) {
  const [, slug] = /\/docs\/problems\/([a-z0-9-]+)$/.exec(type) ?? [];
  const page = slug ? `${language === "fa" ? "/docs/fa" : "/docs"}/problems/${slug}` : type;
  return element("p", element("a", text.explain, { href: page }));
}

function bindOperation(form) {
  bindForm(form, async (key, answer) => {
    const { path, options } = requestOf(form);
    showAnswer(answer, await send(form.dataset.method, path, { key, ...options }));
  });
}

const ended = ["DONE", "CANCELED"];
const pollEveryMs = 1_000;
const polls = 120;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function bindFirstMessage(form) {
  bindForm(form, async (key, answer) => {
    const { message, recipient } = Object.fromEntries(new FormData(form));
    const sent = await send("POST", "/sms/send", {
      key,
      body: JSON.stringify({ message, recipients: [recipient] }),
      type: "application/json",
      headers: { "Idempotency-Key": crypto.randomUUID() },
    });
    if (sent.status !== 201) return showAnswer(answer, sent);
    const { uid, cost, unit, recipients } = sent.json.data;
    const status = element("b", recipients[0].status, { dir: "ltr" });
    const line = element("p", `${text.status} `, { class: "good" });
    line.append(status);
    answer.replaceChildren(element("p", `${text.accepted} ${cost} ${unit}`), line);
    await follow(key, uid, status, answer);
  });
}

/** Shows the status of a message until it has ended. */
async function follow(key, uid, status, answer) {
  for (let poll = 0; poll < polls; poll++) {
    await pause(pollEveryMs);
    const found = await send("GET", `/messages/${uid}`, { key });
    if (found.status !== 200) return showAnswer(answer, found);
    status.textContent = found.json.data.recipients[0].status;
    if (ended.includes(found.json.data.status)) return;
  }
  answer.append(element("p", text.stopped));
}

all("[data-theme-switch]").forEach(bindTheme);
all("main code").forEach(bindAddress);
all("div.code").forEach(bindCode);
bindKeys();
all("form[data-method]").forEach(bindOperation);
all("form[data-first-message]").forEach(bindFirstMessage);
