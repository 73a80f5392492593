/**
 * Calls the API once. Returns `{status, headers, text, json}` for every status. Sends `body` as JSON, or `raw` as it
 * is. Each call has a connection of its own, unless `keepAlive` is set: the runtime closes a connection that was idle for
 * some seconds, and a slow client may write to it just then.
 */
export async function call(baseUrl, method, path, { key, body, headers = {}, raw, signal, keepAlive = false } = {}) {
  const response = await fetch(baseUrl + path, {
    method,
    signal,
    headers: {
      ...(keepAlive ? {} : { connection: "close" }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    body: raw ?? (body === undefined ? undefined : JSON.stringify(body)),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parse(text) };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
