// The settings of each kind of carrier, and how a form becomes the body of a request.
import type { Schemas } from "../../../api/client.ts";
import { latinDigits } from "../../../parts/digits.ts";
import type { Carrier } from "./queries.ts";

export type Kind = Carrier["kind"];
export type Draft = Record<string, string>;

type Names = {
  smpp: keyof Schemas["NewSmppCarrier"]["smpp"];
  http: keyof Schemas["NewHttpCarrier"]["http"];
  sandbox: keyof NonNullable<Schemas["NewSandboxCarrier"]["sandbox"]>;
};

export type Form = "text" | "secret" | "number" | "yesNo" | "choice";
export type Setting<Of extends Kind = Kind> = {
  name: Names[Of];
  form: Form;
  /** What it is if nobody sets it. */
  usual: string;
  choices?: string[];
  isRequired?: boolean;
};

const required = { usual: "", isRequired: true };

const smpp: Setting<"smpp">[] = [
  { name: "host", form: "text", ...required },
  { name: "port", form: "number", usual: "2775" },
  { name: "systemId", form: "text", ...required },
  { name: "password", form: "secret", ...required },
  { name: "systemType", form: "text", usual: "" },
  { name: "tls", form: "yesNo", usual: "true" },
  { name: "binds", form: "number", usual: "1" },
  { name: "window", form: "number", usual: "50" },
  { name: "throughputPerSecond", form: "number", usual: "" },
  { name: "longMessages", form: "choice", usual: "UDH", choices: ["UDH", "SAR", "PAYLOAD"] },
  { name: "reportIds", form: "choice", usual: "AS_IS", choices: ["AS_IS", "DECIMAL", "HEX"] },
  { name: "dataCoding", form: "number", usual: "0" },
  { name: "sourceTon", form: "number", usual: "" },
  { name: "sourceNpi", form: "number", usual: "" },
  { name: "validitySeconds", form: "number", usual: "" },
];

const http: Setting<"http">[] = [
  { name: "url", form: "text", ...required },
  { name: "gateway", form: "choice", usual: "KANNEL", choices: ["KANNEL", "JASMIN"] },
  { name: "username", form: "text", ...required },
  { name: "password", form: "secret", ...required },
  { name: "allowPlaintext", form: "yesNo", usual: "false" },
  { name: "objects", form: "number", usual: "1" },
  { name: "window", form: "number", usual: "6" },
  { name: "timeoutMs", form: "number", usual: "8000" },
];

const sandbox: Setting<"sandbox">[] = [
  { name: "reportAfterMs", form: "number", usual: "0" },
  { name: "window", form: "number", usual: "10000" },
];

export const settingsOf: { [Of in Kind]: Setting<Of>[] } = { smpp, http, sandbox };

/** What the form has before anybody writes into it: what is set, or what holds without. Passwords are never answered. */
export function draftOf(kind: Kind, set: Record<string, unknown> = {}): Draft {
  return Object.fromEntries(settingsOf[kind].map(({ name, usual }) => [name, String(set[name] ?? usual)]));
}

/** The members of a request for a new carrier. */
export function newSettings(kind: Kind, draft: Draft): Record<string, unknown> {
  const given = settingsOf[kind].filter(({ name }) => draft[name]);
  return Object.fromEntries(given.map((setting) => [setting.name, written(setting, draft)]));
}

/** The members of a request that differ from what is set. An emptied one goes back to what holds without it. */
export function changedSettings(kind: Kind, before: Draft, draft: Draft): Record<string, unknown> {
  const changed = settingsOf[kind].filter(({ name }) => draft[name] !== before[name]);
  return Object.fromEntries(changed.map((setting) => [setting.name, written(setting, draft)]));
}

function written({ name, form, isRequired }: Setting, draft: Draft): unknown {
  const text = draft[name]?.trim() ?? "";
  if (text === "" && !isRequired) return null;
  if (form === "yesNo") return text === "true";
  if (form !== "number") return text;
  // What is no number goes as it was written: the service says what is wrong with it.
  const number = Number(latinDigits(text));
  return Number.isNaN(number) ? text : number;
}
