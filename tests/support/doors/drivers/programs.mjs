// Programs of npm that send by Twilio and stand in a folder of their own (PEYK_PACKAGES). A line: {"client": "logto", "call": "sendMessage",
// "args": […]}: the program, and what its user does.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { answer } from "./lines.mjs";

// Activepieces writes of failures where the answers go.
console.debug = console.error;

const { resolve } = createRequire(join(process.env.PEYK_PACKAGES, "package.json"));
const load = (name) => import(pathToFileURL(resolve(name)));
const { default: createConnector } = await load("@logto/connector-twilio-sms");
const { twilio: piece } = await load("@activepieces/piece-twilio");
const { TwilioSmsProvider } = await load("@novu/twilio");

/** Logto keeps what an operator of it has written into a form, `config`, in its database. What the form does not have stays as the form begins. */
async function callLogto(method, config, ...args) {
  const connector = await createConnector({ getConfig: () => Promise.resolve(whole) });
  const begun = connector.metadata.formItems.map(({ key, defaultValue }) => [key, defaultValue]);
  const whole = connector.configGuard.parse({ ...Object.fromEntries(begun), ...config });
  const { statusCode, body } = await connector[method](...args);
  return { http: statusCode, said: JSON.parse(body) };
}

/** What Activepieces keeps between two runs of a trigger. */
const kept = new Map();
const store = {
  put: async (name, value) => kept.set(name, value),
  get: async (name) => kept.get(name),
};

/** A step of a flow has a form, `propsValue`. Its list of lines is asked for while a person fills it in. */
function callActivepieces(method, part, propsValue) {
  const { [part]: step } = { ...piece.metadata().actions, ...piece.metadata().triggers };
  return method === "lines" ? step.props.phone_number.options(propsValue) : step[method]({ propsValue, store });
}

const callNovu = (method, config, ...args) => new TwilioSmsProvider(config)[method](...args);

const programs = { logto: callLogto, activepieces: callActivepieces, novu: callNovu };

await answer(({ client, call, args }) => programs[client](call, ...args));
