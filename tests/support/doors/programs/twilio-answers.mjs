// What the programs for Twilio have in common: the account, and what they read of answers.
import assert from "node:assert/strict";

export const account = "AC0123456789abcdef0123456789abcdef";
export const service = "MG0123456789abcdef0123456789abcdef";
export const api = "https://api.twilio.com";
export const ofAccount = `${api}/2010-04-01/Accounts/${account}`;
export const messages = `${ofAccount}/Messages.json`;
export const escaped = encodeURIComponent;
export const basic = ({ key }) => `Basic ${btoa(`${account}:${key}`)}`;

/** What an answer says that must have this status. */
export function said({ http, said }, status = 200) {
  assert.equal(http, status, JSON.stringify(said));
  return said;
}

/** An error, and what it says. Each program reads `code`, `message`, `more_info` and `status`, or some of them. */
export function refused({ http, said }, status, code) {
  assert.deepEqual([http, said.status, said.code], [status, status, code], JSON.stringify(said));
  assert.deepEqual([typeof said.message, typeof said.more_info], ["string", "string"]);
  return said;
}

/** A message that was made. */
export function made(answer, shop) {
  const message = said(answer, 201);
  assert.match(message.sid, /^SM[0-9a-f]{32}$/);
  assert.deepEqual([message.to, message.account_sid], [shop.to, account]);
  assert.ok(Date.parse(message.date_created) > 0);
  return message;
}
