// One scenario in each protocol, as programs without a library write it: our own API and the doors.
import { api } from "../server.mjs";

const form = "application/x-www-form-urlencoded";
const json = "application/json";
const sid = "0".repeat(32);
const inSeconds = (time) => Math.floor(Date.parse(time) / 1_000);
const present = (members) => Object.entries(members).filter(([, value]) => value !== undefined);

/** Calls the service. Returns the HTTP status and what the body says. */
async function ask(server, method, path, headers, body) {
  const answer = await fetch(`${server.baseUrl}${path}`, { method, headers, body });
  const text = await answer.text();
  return { status: answer.status, said: text && JSON.parse(text) };
}

const kavenegar = (server, key) => {
  const call = async (method, members) => {
    const body = String(new URLSearchParams(present(members)));
    const { status, said } = await ask(server, "POST", `/v1/${key}/${method}.json`, { "Content-Type": form }, body);
    return { isGood: status === 200, said: said.entries };
  };
  const first = ({ isGood, said }) => ({ isGood, id: said?.[0]?.messageid });
  return {
    send: async ({ to, text, line, at }) =>
      first(await call("sms/send", { receptor: to, message: text, sender: line, date: at && inSeconds(at) })),
    pattern: async ({ to, code, token }) => first(await call("verify/lookup", { receptor: to, template: code, token })),
    statusOf: async (messageid) => (await call("sms/status", { messageid })).said[0].status,
    delivered: 10,
    cancel: ({ id }) => call("sms/cancel", { messageid: id }),
  };
};

const ippanel = (server, key) => {
  const call = async (method, path, members) => {
    const headers = { Authorization: key, "Content-Type": json };
    const body = members && JSON.stringify(members);
    const { status, said } = await ask(server, method, `/v1/api/${path}`, headers, body);
    return { isGood: status === 200, said: said.data };
  };
  const first = ({ isGood, said }) => ({ isGood, id: said?.message_outbox_ids?.[0] });
  return {
    send: async ({ to, text, line, at }) =>
      first(
        await call("POST", "send", {
          sending_type: "webservice",
          from_number: line,
          message: text,
          params: { recipients: [to] },
          send_time: at?.replace("T", " ").slice(0, 19),
        }),
      ),
    pattern: async ({ to, code, token }) =>
      first(
        await call("POST", "send", {
          sending_type: "pattern",
          from_number: server.line,
          code,
          recipients: [to],
          params: { token },
        }),
      ),
    statusOf: async (id) => (await call("GET", `report/recipients?bulk_id=${id}`)).said[0].message_status,
    delivered: "2",
    cancel: ({ id }) => call("POST", "send/cancel", { message_outbox_id: id }),
  };
};

const smsir = (server, key) => {
  const call = async (method, path, members) => {
    const headers = { "X-API-KEY": key, "Content-Type": json };
    const { status, said } = await ask(server, method, `/v1/${path}`, headers, members && JSON.stringify(members));
    return { isGood: status === 200 && said.status === 1, said: said.data };
  };
  return {
    send: async ({ to, text, line, at }) => {
      const members = { lineNumber: Number(line), messageText: text, mobiles: [to], sendDateTime: at && inSeconds(at) };
      const { isGood, said } = await call("POST", "send/bulk", members);
      return { isGood, id: said?.messageIds?.[0], pack: said?.packId };
    },
    pattern: async ({ to, code, token }) => {
      const members = { mobile: to, templateId: Number(code), parameters: [{ name: "token", value: token }] };
      const { isGood, said } = await call("POST", "send/verify", members);
      return { isGood, id: said?.messageId };
    },
    statusOf: async (id) => (await call("GET", `send/${id}`)).said.deliveryState,
    delivered: 1,
    cancel: ({ pack }) => call("DELETE", `send/scheduled/${pack}`),
  };
};

const twilio = (server, key) => {
  const call = async (method, path, members = {}) => {
    const headers = { Authorization: `Basic ${btoa(`AC${sid}:${key}`)}`, "Content-Type": form };
    const body = method === "POST" ? String(new URLSearchParams(present(members))) : undefined;
    const { status, said } = await ask(server, method, `/2010-04-01/Accounts/AC${sid}/${path}.json`, headers, body);
    return { isGood: status < 300, said };
  };
  const first = ({ isGood, said }) => ({ isGood, id: said.sid });
  const scheduled = { ScheduleType: "fixed", MessagingServiceSid: `MG${sid}` };
  return {
    send: async ({ to, text, line, at }) =>
      first(
        await call("POST", "Messages", { To: to, Body: text, From: line, ...(at && { SendAt: at, ...scheduled }) }),
      ),
    pattern: async ({ to, code, token }) =>
      first(
        await call("POST", "Messages", {
          To: to,
          From: server.line,
          ContentSid: code,
          ContentVariables: JSON.stringify({ token }),
        }),
      ),
    statusOf: async (id) => (await call("GET", `Messages/${id}`)).said.status,
    delivered: "delivered",
    cancel: ({ id }) => call("POST", `Messages/${id}`, { Status: "canceled" }),
  };
};

const own = (server, key) => {
  const call = async (method, path, body) => {
    const { status, json: said } = await api(server, method, path, { key, body });
    return { isGood: status < 300, said: said?.data };
  };
  const first = ({ isGood, said }) => ({ isGood, id: said?.uid });
  return {
    send: async ({ to, text, line, at }) =>
      first(await call("POST", "/sms/send", { message: text, recipients: [to], sourceNumber: line, sendAt: at })),
    pattern: async ({ to, code, token }) =>
      first(await call("POST", "/sms/pattern", { pattern: code, recipient: to, variables: { token } })),
    statusOf: async (uid) => (await call("GET", `/messages/${uid}/recipients`)).said[0].status,
    delivered: "DELIVERED",
    cancel: ({ id }) => call("DELETE", `/messages/${id}`),
  };
};

/** Each protocol by its name: what makes its calls for a key. */
export const protocols = { own, kavenegar, ippanel, smsir, twilio };
