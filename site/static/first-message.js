// The form of a first message: it sends, and then shows what becomes of the message until it has ended.

import { isLive } from "./key.js";
import { element, withCode, words } from "./page.js";
import { bindForm, send, showAnswer } from "./request.js";

const ended = ["DONE", "CANCELED"];
const failed = ["UNDELIVERED", "EXPIRED", "REJECTED", "CANCELED", "SKIPPED", "UNKNOWN"];
const pollEveryMs = 1_000;
const polls = 120;
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export function bindFirstMessage(form) {
  const { recipient, message } = form.elements;
  bindForm(form, {
    fault: () => (recipient.value.trim() === "" ? { input: recipient, text: words.noNumber } : undefined),
    question: (key) => (isLive(key) ? words.asksSend : undefined),
    work: async (key, answer) => {
      const sent = await send("POST", "/sms/send", {
        key,
        body: JSON.stringify({ message: message.value, recipients: [recipient.value] }),
        type: "application/json",
        headers: { "Idempotency-Key": crypto.randomUUID() },
      });
      if (sent.status !== 201) return showAnswer(answer, sent);
      const { uid, cost, unit, recipients } = sent.json.data;
      const line = element("p", []);
      showStatus(line, recipients[0]);
      answer.replaceChildren(element("p", `${words.accepted} ${cost} ${unit}`), line);
      await follow(key, uid, line, answer);
    },
  });
}

/** Shows a recipient's status in words, and why it failed. */
function showStatus(line, { status, error }) {
  const reason = error ? [` ${words.reasons[error] ?? ""} `, element("code", error)] : [];
  line.className = failed.includes(status) ? "bad" : "good";
  line.replaceChildren(element("b", status, { dir: "ltr" }), ` ${words.statuses[status] ?? ""}`, ...reason);
}

/** Shows the status of a message until it has ended. */
async function follow(key, uid, line, answer) {
  for (let poll = 0; poll < polls; poll++) {
    await pause(pollEveryMs);
    const found = await send("GET", `/messages/${uid}`, { key });
    if (found.status !== 200) return showAnswer(answer, found);
    showStatus(line, found.json.data.recipients[0]);
    if (ended.includes(found.json.data.status)) return;
  }
  answer.append(element("p", withCode(words.stopped)));
}
