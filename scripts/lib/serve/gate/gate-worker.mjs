// The gate: the only worker with a public socket. It tells Peyk who has sent a request, and lets no client say so.
import { isReserved, networksIn, senderOf } from "./addresses.mjs";

let trusted;

export default {
  async fetch(request, env) {
    trusted ??= networksIn(env.TRUSTED_PROXIES);
    const { headers } = request;
    // The runtime has the client's end of the connection here, with its port.
    const peer = request.cf.clientIp;
    const { address, scheme } = senderOf(
      peer,
      trusted,
      headers.get("x-forwarded-for"),
      headers.get("x-forwarded-proto"),
    );
    const url = new URL(request.url);
    if (scheme) url.protocol = scheme;
    const passed = new Request(url, request);
    for (const name of headers.keys()) if (isReserved(name)) passed.headers.delete(name);
    if (address) passed.headers.set("cf-connecting-ip", address);
    try {
      return await (isOfSite(url.pathname, env.SITE_PATHS) ? env.SITE : env.PEYK).fetch(passed);
    } catch {
      return closed();
    }
  },
};

/** Whether the path is of the documentation or the console. `paths` are patterns between commas, some with an asterisk at their end. */
const isOfSite = (path, paths) =>
  paths.split(",").some((one) => (one.endsWith("*") ? path.startsWith(one.slice(0, -1)) : path === one));

/** Peyk's runtime is ending. The form is that of the service's own errors. */
const closed = () =>
  Response.json(
    {
      type: "about:blank",
      title: "Service unavailable",
      status: 503,
      code: 503,
      detail:
        "The service is stopping; try again in 5 s. The request may have had its effect: to repeat it with the same Idempotency-Key is safe.",
    },
    { status: 503, headers: { "content-type": "application/problem+json", "retry-after": "5" } },
  );
