import { useState } from "react";
import type { Change } from "../../../api/change.ts";
import type { Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Button } from "../../../parts/Button.tsx";
import { Checks } from "../../../parts/Checks.tsx";
import { Form } from "../../../parts/Form.tsx";
import { FormActions } from "../../../parts/FormActions.tsx";
import { faultAt } from "../../../parts/faults.ts";
import { Icon } from "../../../parts/Icon.tsx";
import { TextField } from "../../../parts/TextField.tsx";
import { useUnit } from "../shared/unit.ts";
import { emptyRow, type PlanDraft, type PriceRow } from "./draft.ts";

type Props = {
  draft: PlanDraft;
  isNew: boolean;
  change: Change;
  done?: string | undefined;
  onChange: (draft: PlanDraft) => void;
  onSubmit: () => void;
  onCancel?: () => void;
};

const refunds: Schemas["Plan"]["refunds"][number][] = ["UNDELIVERED", "EXPIRED"];

export function PlanForm({ draft, isNew, change: save, done, onChange, onSubmit, onCancel }: Props) {
  const { t, o, format } = useOperatorTexts();
  const unit = useUnit();
  const [isTried, setIsTried] = useState(false);
  const needed = isNew ? [draft.title, draft.slug, draft.price] : [draft.title, draft.price];
  const { error } = save;
  const change = (part: Partial<PlanDraft>) => onChange({ ...draft, ...part });
  const submit = () => {
    setIsTried(true);
    if (needed.every((text) => text.trim())) onSubmit();
  };
  const missing = (text: string) => (isTried && text.trim() === "" ? o.form.missing : undefined);
  return (
    <Form className="card stack narrow" onSubmit={submit}>
      <h2>{isNew ? o.plans.create : o.plans.prices}</h2>
      <TextField
        label={o.plans.title}
        error={missing(draft.title) ?? faultAt(error, "/title")}
        autoFocus={isNew}
        value={draft.title}
        onChange={(title) => change({ title })}
      />
      {isNew && (
        <TextField
          label={o.plans.slug}
          hint={o.plans.slugHint}
          error={missing(draft.slug) ?? faultAt(error, "/slug")}
          isCode
          value={draft.slug}
          onChange={(slug) => change({ slug })}
        />
      )}
      <TextField
        label={o.plans.price}
        hint={o.plans.priceHint(format.unit(unit))}
        error={missing(draft.price) ?? faultAt(error, "/tariff/price")}
        isCode
        inputMode="numeric"
        value={draft.price}
        onChange={(price) => change({ price })}
      />
      <PriceRows rows={draft.prices} error={error} onChange={(prices) => change({ prices })} />
      <Checks
        label={o.plans.refunds}
        choices={refunds}
        value={draft.refunds}
        onChange={(chosen) => change({ refunds: refunds.filter((refund) => chosen.includes(refund)) })}
      >
        {(refund) => t.recipientStatuses[refund]}
      </Checks>
      <FormActions
        submit={isNew ? o.plans.createSubmit : o.plans.look}
        change={{ isPending: save.isPending, error: isNew ? error : null }}
        done={done}
        onCancel={onCancel}
      />
    </Form>
  );
}

type PriceRowsProps = { rows: PriceRow[]; error: Error | null; onChange: (rows: PriceRow[]) => void };

/** The prices for numbers abroad, or for a range of numbers. */
function PriceRows({ rows, error, onChange }: PriceRowsProps) {
  const o = useOperatorMessages();
  const change = (id: string, part: Partial<PriceRow>) =>
    onChange(rows.map((row) => (row.id === id ? { ...row, ...part } : row)));
  return (
    <fieldset className="limit">
      <legend>{o.plans.byPrefix}</legend>
      <p className="hint">{o.plans.byPrefixHint}</p>
      {rows.map((row, index) => (
        <div key={row.id} className="price-row">
          <TextField
            label={o.plans.prefix}
            error={faultAt(error, `/tariff/prices/${index}/prefix`)}
            isCode
            inputMode="tel"
            value={row.prefix}
            onChange={(prefix) => change(row.id, { prefix })}
          />
          <TextField
            label={o.plans.partPrice}
            error={faultAt(error, `/tariff/prices/${index}/price`)}
            isCode
            inputMode="numeric"
            value={row.price}
            onChange={(price) => change(row.id, { price })}
          />
          <Remove prefix={row.prefix} onPress={() => onChange(rows.filter(({ id }) => id !== row.id))} />
        </div>
      ))}
      <Button kind="link" onPress={() => onChange([...rows, emptyRow()])}>
        {o.plans.addPrice}
      </Button>
    </fieldset>
  );
}

function Remove({ prefix, onPress }: { prefix: string; onPress: () => void }) {
  const o = useOperatorMessages();
  return (
    <Button kind="quiet" aria-label={prefix ? o.plans.removeOf(prefix) : o.plans.remove} onPress={onPress}>
      <Icon name="close" />
    </Button>
  );
}
