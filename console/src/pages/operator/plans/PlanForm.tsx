import { type FormEvent, useState } from "react";
import { Checkbox } from "react-aria-components/Checkbox";
import { CheckboxGroup } from "react-aria-components/CheckboxGroup";
import { Label } from "react-aria-components/Label";
import type { Change } from "../../../api/change.ts";
import type { Schemas } from "../../../api/client.ts";
import { useMessages } from "../../../base/messages.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useFormat } from "../../../format/format.ts";
import { FormActions } from "../../../parts/FormActions.tsx";
import { faultAt } from "../../../parts/faults.ts";
import { TextField } from "../../../parts/TextField.tsx";
import { useUnit } from "../shared/unit.ts";
import type { PlanDraft } from "./draft.ts";
import { PriceRows } from "./PriceRows.tsx";

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
  const t = useMessages();
  const o = useOperatorMessages();
  const format = useFormat();
  const unit = useUnit();
  const [isTried, setIsTried] = useState(false);
  const needed = isNew ? [draft.title, draft.slug, draft.price] : [draft.title, draft.price];
  const { error } = save;
  const change = (part: Partial<PlanDraft>) => onChange({ ...draft, ...part });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (needed.every((text) => text.trim())) onSubmit();
  };
  const missing = (text: string) => (isTried && text.trim() === "" ? o.form.missing : undefined);
  return (
    <form className="card stack narrow" onSubmit={submit} noValidate>
      <h2>{isNew ? o.plans.create : o.plans.prices}</h2>
      <TextField
        label={o.plans.title}
        error={missing(draft.title) ?? faultAt(error, "/title")}
        autoComplete="off"
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
          autoComplete="off"
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
        autoComplete="off"
        value={draft.price}
        onChange={(price) => change({ price })}
      />
      <PriceRows rows={draft.prices} error={error} onChange={(prices) => change({ prices })} />
      <CheckboxGroup
        className="field"
        value={draft.refunds}
        onChange={(chosen) => change({ refunds: refunds.filter((refund) => chosen.includes(refund)) })}
      >
        <Label>{o.plans.refunds}</Label>
        <div className="checks">
          {refunds.map((refund) => (
            <Checkbox key={refund} value={refund} className="check">
              <span className="box" />
              {t.recipientStatuses[refund]}
            </Checkbox>
          ))}
        </div>
      </CheckboxGroup>
      <FormActions
        submit={isNew ? o.plans.createSubmit : o.plans.look}
        change={{ isPending: save.isPending, error: isNew ? error : null }}
        done={done}
        onCancel={onCancel}
      />
    </form>
  );
}
