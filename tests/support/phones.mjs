// Phones that write to the lines of the service.
import assert from "node:assert/strict";
import { httpCarrier } from "./carriers.mjs";
import { admin } from "./shop.mjs";

/** Where gateways are told to report to. Nothing listens there: the tests ask the runtime itself in its place. */
export const gatewaySettings = () => ({ PUBLIC_URL: "https://sms.example.com" });

/**
 * Opens a line that belongs to one account. Returns its number and `says(from, text)`, by which a phone writes to it, as its gateway
 * hands the message over.
 */
export async function openInbox(server, account, number) {
  const name = await httpCarrier(server, { url: "http://127.0.0.1:9/", username: "peyk", password: "secret" });
  const made = await admin(server, "POST", "/admin/lines", {
    number,
    carrier: "sandbox",
    operations: ["WEBSERVICE", "PATTERN"],
    accounts: [account],
  });
  assert.equal(made.status, 201, made.text);
  const { inboundUrl } = (await admin(server, "GET", `/admin/carriers/${name}`)).json.data;
  const { pathname, search } = new URL(inboundUrl);
  let count = 0;
  const says = async (from, text) => {
    count += 1;
    const about = new URLSearchParams({ from, text, to: number, id: String(count) });
    const answer = await fetch(`${server.baseUrl}${pathname}${search}&${about}`);
    assert.equal(answer.status, 200, await answer.text());
  };
  return { number, says };
}
