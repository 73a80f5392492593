// The settings of each kind of carrier, and how a form becomes the body of a request.
import type { BodyOf, Schemas } from "../../../api/client.ts";
import { latinDigits } from "../../../parts/digits.ts";

export type Kind = Schemas["Carrier"]["kind"];
export type Draft = Record<string, string>;

type Members = {
  smpp: Schemas["SmppCarrierInput"]["smpp"];
  http: Schemas["HttpCarrierInput"]["http"];
  sandbox: NonNullable<Schemas["SandboxCarrierInput"]["sandbox"]>;
};

/** The form that takes a value of this type. */
type FormOf<Value> = [Value] extends [boolean]
  ? { form: "yesNo" }
  : [Value] extends [number]
    ? { form: "number" }
    : string extends Value
      ? { form: "text" | "secret" }
      : { form: "choice"; choices: Value[] };
/** What holds without a setting, or that it must be set. */
type UsualOf<Value> = null extends Value ? { usual: string } : { usual: ""; isRequired: true };
/** All settings that the API has for a kind, and no other ones. */
type SettingsOf<Of extends Kind> = {
  [Name in keyof Members[Of]]-?: FormOf<NonNullable<Members[Of][Name]>> & UsualOf<Members[Of][Name]>;
};

export type Setting = {
  name: string;
  form: "text" | "secret" | "number" | "yesNo" | "choice";
  /** What it is if nobody sets it. */
  usual: string;
  choices?: string[];
  isRequired?: boolean;
};

const required = { usual: "", isRequired: true } as const;

const smpp: SettingsOf<"smpp"> = {
  host: { form: "text", ...required },
  port: { form: "number", usual: "2775" },
  systemId: { form: "text", ...required },
  password: { form: "secret", ...required },
  systemType: { form: "text", usual: "" },
  tls: { form: "yesNo", usual: "true" },
  binds: { form: "number", usual: "1" },
  window: { form: "number", usual: "50" },
  throughputPerSecond: { form: "number", usual: "" },
  longMessages: { form: "choice", usual: "UDH", choices: ["UDH", "SAR", "PAYLOAD"] },
  reportIds: { form: "choice", usual: "AS_IS", choices: ["AS_IS", "DECIMAL", "HEX"] },
  reportNumbers: { form: "choice", usual: "EITHER", choices: ["EITHER", "SOURCE", "DESTINATION", "NONE"] },
  partReports: { form: "choice", usual: "AUTO", choices: ["AUTO", "ALL", "FIRST", "LAST", "ANY"] },
  dataCoding: { form: "number", usual: "0" },
  defaultAlphabet: { form: "choice", usual: "GSM7", choices: ["GSM7", "LATIN1", "IA5"] },
  sourceTon: { form: "number", usual: "" },
  sourceNpi: { form: "number", usual: "" },
  validitySeconds: { form: "number", usual: "" },
};

const http: SettingsOf<"http"> = {
  url: { form: "text", ...required },
  gateway: { form: "choice", usual: "KANNEL", choices: ["KANNEL", "JASMIN"] },
  username: { form: "text", ...required },
  password: { form: "secret", ...required },
  allowPlaintext: { form: "yesNo", usual: "false" },
  objects: { form: "number", usual: "1" },
  window: { form: "number", usual: "6" },
  timeoutMs: { form: "number", usual: "8000" },
};

const sandbox: SettingsOf<"sandbox"> = {
  reportAfterMs: { form: "number", usual: "0" },
  window: { form: "number", usual: "10000" },
};

const listed = (settings: Record<string, Omit<Setting, "name">>): Setting[] =>
  Object.entries(settings).map(([name, setting]) => ({ name, ...setting }));

export const settingsOf: Record<Kind, Setting[]> = { smpp: listed(smpp), http: listed(http), sandbox: listed(sandbox) };

/** What the form has before anybody writes into it: what is set, or what holds without. Passwords are never answered. */
export function draftOf(kind: Kind, set: Record<string, unknown> = {}): Draft {
  return Object.fromEntries(settingsOf[kind].map(({ name, usual }) => [name, String(set[name] ?? usual)]));
}

/** The body of a request for a new carrier. */
export function newCarrier(name: string, kind: Kind, draft: Draft): BodyOf<Schemas["CarrierInput"]> {
  if (kind === "smpp") return { name, kind, smpp: newSettings(kind, draft) };
  if (kind === "http") return { name, kind, http: newSettings(kind, draft) };
  return { name, kind, sandbox: newSettings(kind, draft) };
}

/** The service holds the form of the settings: what is missing or no number goes as it was typed, and it says what is wrong. */
function newSettings<Of extends Kind>(kind: Of, draft: Draft): Members[Of] {
  const given = settingsOf[kind].filter(({ name }) => draft[name]);
  return Object.fromEntries(given.map((setting) => [setting.name, written(setting, draft)])) as Members[Of];
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
  const number = Number(latinDigits(text));
  return Number.isNaN(number) ? text : number;
}
