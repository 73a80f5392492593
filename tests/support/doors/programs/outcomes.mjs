// What the users of programs see that run as they are.
import assert from "node:assert/strict";

/** What Twilio says of a line that the account does not have. */
export const notYours = "is not a valid, SMS-capable inbound phone number or short code for your account.";

/** What a call returns that must not raise. */
export async function told(outcome) {
  const { value, error } = await outcome;
  assert.equal(error, undefined, JSON.stringify(error));
  return value;
}

/** What a call raises that must be refused. */
export async function raised(outcome) {
  const { value, error } = await outcome;
  assert.ok(error, `this was not refused: ${JSON.stringify(value)}`);
  return error;
}
