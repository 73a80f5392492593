import { useState } from "react";
import type { BodyOf, Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { ChangeForm } from "../../../parts/ChangeForm.tsx";
import { latinDigits } from "../../../parts/digits.ts";
import { faultAt } from "../../../parts/faults.ts";
import { TextField } from "../../../parts/TextField.tsx";
import { YesNo } from "../../../parts/YesNo.tsx";
import { OperationChecks } from "../lines/OperationChecks.tsx";
import { lineChange } from "../queries.ts";
import { AccountChips } from "../shared/AccountChips.tsx";
import { AccountField } from "../shared/AccountField.tsx";
import { HoursFields } from "./HoursFields.tsx";

type Line = Schemas["Line"];

export const coefficients = ["PERSIAN", "ENGLISH", "MCI", "MTN", "WEBSERVICE", "PATTERN"] as const;
type Factors = Record<(typeof coefficients)[number], string>;

const factorsOf = (line: Line): Factors => {
  const texts = coefficients.map((name) => [name, String(line.coefficients[name])]);
  return Object.fromEntries(texts) as Factors;
};

export function SettingsForm({ line, onClose }: { line: Line; onClose: () => void }) {
  const o = useOperatorMessages();
  const [operations, setOperations] = useState(line.operations);
  const [shared, setShared] = useState(line.shared);
  const [accounts, setAccounts] = useState(line.accounts);
  const [cheapest, setCheapest] = useState(line.cheapest);
  const [suffix, setSuffix] = useState(line.suffix ?? "");
  const [hours, setHours] = useState(line.hours);
  const [factors, setFactors] = useState(factorsOf(line));
  const [before] = useState(line);
  const written = {
    operations,
    shared,
    accounts,
    cheapest,
    suffix: suffix.trim() || null,
    hours,
    coefficients: numbersOf(factors),
  };
  return (
    <ChangeForm submit={o.line.save} {...lineChange(line.number, changedOf(before, written))} onClose={onClose}>
      {(_, error) => (
        <>
          <OperationChecks value={operations} onChange={setOperations} />
          <YesNo label={o.lines.sharedLabel} hint={o.lines.sharedHint} value={shared} onChange={setShared} />
          <div className="stack">
            <h3>{o.lines.accounts}</h3>
            {accounts.length > 0 && (
              <AccountChips
                ids={accounts}
                onRemove={(removed) => setAccounts(accounts.filter((account) => account !== removed))}
              />
            )}
            <AccountField
              label={o.accountField.username}
              add={o.accountField.add}
              onFound={(id) => setAccounts([...new Set([...accounts, id])])}
            />
          </div>
          <div className="stack">
            <h3>{o.line.coefficients}</h3>
            <p className="hint">{o.line.coefficientsHint}</p>
            <div className="fields factors">
              {coefficients.map((name) => (
                <TextField
                  key={name}
                  label={o.coefficients[name]}
                  error={faultAt(error, `/coefficients/${name}`)}
                  isCode
                  inputMode="decimal"
                  value={factors[name]}
                  onChange={(text) => setFactors({ ...factors, [name]: text })}
                />
              ))}
            </div>
          </div>
          <YesNo label={o.line.cheapest} hint={o.line.cheapestHint} value={cheapest} onChange={setCheapest} />
          <TextField
            label={o.line.suffix}
            hint={o.line.suffixHint}
            error={faultAt(error, "/suffix")}
            value={suffix}
            onChange={setSuffix}
          />
          <HoursFields
            value={hours}
            error={["", "/from", "/to", "/timeZone"].map((member) => faultAt(error, `/hours${member}`)).find(Boolean)}
            onChange={setHours}
          />
          <p className="note">{o.line.effect}</p>
        </>
      )}
    </ChangeForm>
  );
}

/** What differs alone: so what another operator changes meanwhile stays. */
function changedOf(before: Line, written: Pick<Line, Written>): BodyOf<Schemas["LineChange"]> {
  const { coefficients: factors, accounts, operations, ...rest } = written;
  const areOther = (some: string[], others: string[]) => some.toSorted().join() !== others.toSorted().join();
  return {
    ...(rest.shared !== before.shared && { shared: rest.shared }),
    ...(rest.cheapest !== before.cheapest && { cheapest: rest.cheapest }),
    ...(rest.suffix !== before.suffix && { suffix: rest.suffix }),
    ...(textOf(rest.hours) !== textOf(before.hours) && { hours: rest.hours }),
    ...(areOther(operations, before.operations) && { operations }),
    ...(areOther(accounts, before.accounts) && { accounts }),
    ...(coefficients.some((name) => factors[name] !== before.coefficients[name]) && { coefficients: factors }),
  };
}

type Written = "operations" | "shared" | "accounts" | "cheapest" | "suffix" | "hours" | "coefficients";

const textOf = (hours: Line["hours"]) => hours && [hours.from, hours.to, hours.timeZone].join();

/** What is no number goes as it was written: the service says what is wrong with it. */
function numbersOf(factors: Factors) {
  const numbers = coefficients.map((name) => {
    const number = Number(latinDigits(factors[name]).replace("٫", ".") || Number.NaN);
    return [name, Number.isNaN(number) ? factors[name] : number];
  });
  return Object.fromEntries(numbers) as Line["coefficients"];
}
