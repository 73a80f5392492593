// The address and the key of a service that moves.
import { serviceAddress } from "../base/options.mjs";

/** The address of `--from` or `--to`. A key goes over plain HTTP to this machine only. */
export function addressOf(text, name, faults) {
  const address = serviceAddress(text ?? "");
  const url = address === null ? null : new URL(address);
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url?.hostname ?? "");
  if (url && (url.protocol === "https:" || isLocal)) return address;
  faults.push(`--${name} must be the address of a service, like https://sms.example.com, not "${text ?? ""}"`);
}

/** The key of an operator in the environment. */
export function keyOf({ PEYK_API_KEY: key }, faults) {
  if (!key) faults.push("PEYK_API_KEY is not set: the key of an operator who may do everything");
  else if (!/^[\x21-\x7e]+$/.test(key)) faults.push("PEYK_API_KEY is not an API key");
  return key;
}
