/**
 * Calls the API once. Returns `{status, headers, text, json}` for every status. Sends `body` as JSON, or `raw` as it
 * is.
 */
export async function call(baseUrl, method, path, { key, body, headers = {}, raw } = {}) {
  const response = await fetch(baseUrl + path, {
    method,
    headers: {
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
