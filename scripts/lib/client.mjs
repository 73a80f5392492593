/** One call of the API: `{status, headers, text, json}`, whatever the status. `body` is sent as JSON unless `raw` is given. */
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
