import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "../../../api/change.ts";
import type { Schemas } from "../../../api/client.ts";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Form } from "../../../parts/Form.tsx";
import { FormActions } from "../../../parts/FormActions.tsx";
import { faultAt } from "../../../parts/faults.ts";
import { Select } from "../../../parts/Select.tsx";
import { TextField } from "../../../parts/TextField.tsx";
import { PlanSelect } from "../plans/PlanSelect.tsx";
import { accountQuery, changeAccount, linesOfAccountQuery } from "../queries.ts";
import { CloseAccount } from "./CloseAccount.tsx";
import { LowBalanceForm } from "./LowBalanceForm.tsx";
import { RestoreForm } from "./RestoreForm.tsx";
import { changeOf, type Draft, draftOf } from "./settings.ts";

export function Settings({ account }: { account: Schemas["Account"] }) {
  const o = useOperatorMessages();
  const mayChange = useMay("admin:accounts");
  const mayRestore = useMay("admin:service");
  if (!mayChange && !mayRestore) return <p className="state">{o.account.mayNotChange}</p>;
  return (
    <>
      {mayChange && <SettingsForm account={account} />}
      {mayChange && <LowBalanceForm account={account} />}
      {mayRestore && <RestoreForm account={account} />}
      {mayChange && <CloseAccount account={account} />}
    </>
  );
}

function SettingsForm({ account }: { account: Schemas["Account"] }) {
  const { o, format } = useOperatorTexts();
  const [before, setBefore] = useState(() => draftOf(account));
  const [draft, setDraft] = useState(before);
  const save = useChange({
    ask: () => changeAccount(account.id, changeOf(before, draft)),
    stale: [["accounts", "list"]],
    replaces: accountQuery(account.id),
    onDone: (changed) => {
      setBefore(draftOf(changed));
      setDraft(draftOf(changed));
    },
  });
  const change = (part: Partial<Draft>) => {
    save.reset();
    setDraft({ ...draft, ...part });
  };
  const fault = (name: string) => faultAt(save.error, `/${name}`);
  return (
    <Form className="card stack narrow" onSubmit={() => save.mutate()}>
      <h2>{o.account.settings}</h2>
      <TextField
        label={o.accounts.fullName}
        error={fault("fullName")}
        value={draft.fullName}
        onChange={(fullName) => change({ fullName })}
      />
      <div className="fields">
        <PlanSelect value={draft.plan} onChange={(plan) => change({ plan })} />
        <LineSelect id={account.id} value={draft.defaultLine} onChange={(defaultLine) => change({ defaultLine })} />
      </div>
      <TextField
        label={o.account.dailySpend}
        hint={o.account.dailySpendHint(format.unit(account.wallet.unit))}
        error={fault("dailySpend")}
        isCode
        inputMode="numeric"
        value={draft.dailySpend}
        onChange={(dailySpend) => change({ dailySpend })}
      />
      <TextField
        label={o.account.destinations}
        hint={o.account.destinationsHint}
        error={fault("destinations")}
        isCode
        value={draft.destinations}
        onChange={(destinations) => change({ destinations })}
      />
      <LimitFields draft={draft} onChange={change} fault={fault} />
      <FormActions submit={o.form.save} change={save} done={save.isSuccess ? o.form.saved : undefined} />
    </Form>
  );
}

/** A choice can't have an empty id, so no line has a name here that no line can have. */
const none = "-";

function LineSelect({ id, value, onChange }: { id: string; value: string; onChange: (line: string) => void }) {
  const o = useOperatorMessages();
  const lines = useQuery(linesOfAccountQuery(id)).data ?? [];
  const numbers = new Set([...lines.map(({ number }) => number), ...(value ? [value] : [])]);
  const choices = [
    { id: none, text: o.account.noDefaultLine },
    ...[...numbers].map((number) => ({ id: number, text: number })),
  ];
  return (
    <Select
      label={o.account.defaultLine}
      value={value || none}
      choices={choices}
      onChange={(line) => onChange(line === none ? "" : line)}
    />
  );
}

type Name = "rateLimit" | "testRateLimit" | "recipientLimit";
type Part = "limit" | "windowSeconds" | "burst";

const limits: { name: Name; parts: Part[] }[] = [
  { name: "rateLimit", parts: ["limit", "windowSeconds", "burst"] },
  { name: "testRateLimit", parts: ["limit", "windowSeconds", "burst"] },
  { name: "recipientLimit", parts: ["limit", "windowSeconds"] },
];

type Props = {
  draft: Draft;
  onChange: (part: Partial<Draft>) => void;
  fault: (name: string) => string | undefined;
};

/** The limits of an account: how many in which time, and how many at once. */
function LimitFields({ draft, onChange, fault }: Props) {
  const o = useOperatorMessages();
  return limits.map(({ name, parts }) => {
    const values: Partial<Record<Part, string>> = draft[name];
    return (
      <fieldset key={name} className="limit">
        <legend>{o.account[name]}</legend>
        <p className="hint">{o.account.limitHints[name]}</p>
        <div className="fields">
          {parts.map((part) => (
            <TextField
              key={part}
              label={o.account.limitParts[part]}
              error={fault(`${name}/${part}`) ?? (part === "limit" ? fault(name) : undefined)}
              isCode
              inputMode="numeric"
              value={values[part] ?? ""}
              onChange={(typed) => onChange({ [name]: { ...values, [part]: typed } })}
            />
          ))}
        </div>
      </fieldset>
    );
  });
}
