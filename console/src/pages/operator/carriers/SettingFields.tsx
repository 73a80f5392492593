import type { OperatorMessages } from "../../../../messages/operator/en.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { faultAt } from "../../../parts/faults.ts";
import { Select } from "../../../parts/Select.tsx";
import { TextField } from "../../../parts/TextField.tsx";
import { YesNo } from "../../../parts/YesNo.tsx";
import { type Draft, type Kind, type Setting, settingsOf } from "./settings.ts";

type Props = {
  kind: Kind;
  draft: Draft;
  error: Error | null;
  /** Whether the carrier has a password already. */
  hasPassword: boolean;
  onChange: (draft: Draft) => void;
};

export function SettingFields({ kind, draft, error, hasPassword, onChange }: Props) {
  const o = useOperatorMessages();
  const change = (name: string) => (value: string) => onChange({ ...draft, [name]: value });
  const isTick = ({ form }: Setting) => form === "yesNo";
  const settings: Setting[] = settingsOf[kind];
  return (
    <>
      <div className="fields">
        {settings
          .filter((setting) => !isTick(setting))
          .map((setting) => (
            <Field
              key={setting.name}
              setting={setting}
              label={labelOf(o, kind, setting.name)}
              hint={setting.form === "secret" && hasPassword ? o.carrier.passwordKept : hintOf(o, kind, setting.name)}
              fault={faultAt(error, `/${kind}/${setting.name}`)}
              value={draft[setting.name] ?? ""}
              onChange={change(setting.name)}
            />
          ))}
      </div>
      {settings.filter(isTick).map(({ name }) => (
        <YesNo
          key={name}
          label={labelOf(o, kind, name)}
          hint={hintOf(o, kind, name)}
          value={draft[name] === "true"}
          onChange={(value) => change(name)(String(value))}
        />
      ))}
    </>
  );
}

type Texts = Record<string, string>;
const labelsIn = (o: OperatorMessages): Record<Kind, Texts> => ({
  smpp: texts(o.smppSettings),
  http: texts(o.httpSettings),
  sandbox: texts(o.sandboxSettings),
});
const hintsIn = (o: OperatorMessages): Record<Kind, Texts> => ({
  smpp: texts(o.smppHints),
  http: texts(o.httpHints),
  sandbox: texts(o.sandboxHints),
});
const texts = (group: Texts) => group;

export const labelOf = (o: OperatorMessages, kind: Kind, name: string) => labelsIn(o)[kind][name] ?? name;
const hintOf = (o: OperatorMessages, kind: Kind, name: string) => hintsIn(o)[kind][name];

type FieldProps = {
  setting: Setting;
  label: string;
  hint: string | undefined;
  fault: string | undefined;
  value: string;
  onChange: (value: string) => void;
};

function Field({ setting: { form, choices = [] }, label, hint, fault, value, onChange }: FieldProps) {
  if (form === "choice")
    return (
      <Select
        label={label}
        hint={hint}
        value={value}
        choices={choices.map((id) => ({ id, text: id }))}
        onChange={onChange}
      />
    );
  return (
    <TextField
      label={label}
      hint={hint}
      error={fault}
      isCode
      type={form === "secret" ? "password" : "text"}
      inputMode={form === "number" ? "numeric" : "text"}
      autoComplete={form === "secret" ? "new-password" : "off"}
      value={value}
      onChange={onChange}
    />
  );
}
