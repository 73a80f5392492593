// npm's smsir-js. A line: {"client": [<API key>, <line>], "call": "SendBulk", "args": […]}. Its user gets the response of axios, or its error.
import { Smsir } from "smsir-js";
import { answer } from "./lines.mjs";

await answer(async ({ client, call, args }) => {
  try {
    const { status, data } = await new Smsir(...client)[call](...args);
    return { http: status, ...data };
  } catch ({ response }) {
    return { http: response.status, ...response.data };
  }
});
