// What a program gives to the client, checked before anything else happens.

const known = [
  "apiKey",
  "baseUrl",
  "timeoutMs",
  "maxAttempts",
  "maxRetryAfterMs",
  "language",
  "plainHttpHosts",
  "onRemarks",
];
const exposed =
  "baseUrl must begin with https://; http:// is for this machine and for the hosts that plainHttpHosts names";
const dayMs = 86_400_000;

/** Others could read the key and the messages on their way. */
const isLoopback = (hostname) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

function require(is, words) {
  if (!is) throw new TypeError(words);
}

/** Never says the key, since errors end up in logs. */
function checkKey(apiKey) {
  require(typeof apiKey === "string" && apiKey !== "", "apiKey is missing: give an API key, like peyk_live_…");
  require(!/["'`]/.test(apiKey), "apiKey has a quote in it: give the key alone, without quotes around it");
  require(!/\s/.test(apiKey), "apiKey has a blank or a line break in it: give the key alone");
  require(/^[\x21-\x7e]+$/.test(apiKey), "apiKey has a character that no key has: give a key like peyk_live_…");
}

/** Returns the names in lower case. */
function checkedHosts(hosts) {
  const isList = Array.isArray(hosts) && hosts.every((host) => typeof host === "string" && /^[\w.:[\]-]+$/.test(host));
  require(isList, 'plainHttpHosts must be a list of names without scheme and port, like ["peyk"]');
  return hosts.map((host) => host.toLowerCase());
}

/** Returns the address without slashes at its end. */
function checkedUrl(baseUrl, plainHttpHosts) {
  const example = "like https://sms.example.com";
  require(typeof baseUrl === "string" &&
    baseUrl !== "", `baseUrl is missing: give the address of the service, ${example}`);
  require(!/\s/.test(baseUrl), `baseUrl has a blank or a line break in it: give the address alone, ${example}`);
  require(/^https?:\/\//i.test(baseUrl), exposed);
  require(URL.canParse(baseUrl), `baseUrl is no address: give one ${example}`);
  const url = new URL(baseUrl);
  const isPlainHost = isLoopback(url.hostname) || plainHttpHosts.includes(url.hostname);
  require(url.protocol === "https:" || isPlainHost, exposed);
  require(!url.username && !url.password, `baseUrl has a name or a password in it: give the address alone, ${example}`);
  require(!/[?#]/.test(baseUrl), `baseUrl has a ? or a # in it: give the address without a query, ${example}`);
  return baseUrl.replace(/\/+$/, "");
}

function checkNumber(name, value, min, max, isWhole) {
  const is = typeof value === "number" && value >= min && value <= max && (!isWhole || Number.isInteger(value));
  const kind = isWhole ? "a whole number" : "a number of milliseconds";
  require(is, `${name} must be ${kind} from ${min} to ${max}, not ${shown(value)}`);
}

const shown = (value) => (typeof value === "string" ? JSON.stringify(value) : String(value));

/** Returns the settings, with what is left out in its place. */
export function checked(options) {
  require(options !== null && typeof options === "object", "the client takes an object with apiKey and baseUrl");
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  require(unknown === undefined, `there is no option ${unknown}: there are ${known.join(", ")}`);
  const { apiKey, timeoutMs = 30_000, maxAttempts = 3, maxRetryAfterMs = 30_000, language, onRemarks } = options;
  checkKey(apiKey);
  const baseUrl = checkedUrl(options.baseUrl, checkedHosts(options.plainHttpHosts ?? []));
  checkNumber("timeoutMs", timeoutMs, 1, dayMs, false);
  checkNumber("maxAttempts", maxAttempts, 1, 100, true);
  checkNumber("maxRetryAfterMs", maxRetryAfterMs, 0, dayMs, false);
  const isLanguage = [undefined, null, "en", "fa"].includes(language);
  require(isLanguage, `language must be "en" or "fa", not ${shown(language)}`);
  const isFunction = onRemarks === undefined || typeof onRemarks === "function";
  require(isFunction, `onRemarks must be a function, not ${shown(onRemarks)}`);
  return { apiKey, baseUrl, timeoutMs, maxAttempts, maxRetryAfterMs, language, onRemarks };
}
