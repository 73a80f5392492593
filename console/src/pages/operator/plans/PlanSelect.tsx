import { useQuery } from "@tanstack/react-query";
import { dataQuery } from "../../../api/queries.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { Select } from "../../../parts/Select.tsx";

/** A choice of the plans. The one that is set is among them from the begin, also before they are loaded. */
export function PlanSelect({ value, onChange }: { value: string; onChange: (plan: string) => void }) {
  const o = useOperatorMessages();
  const plans = useQuery(dataQuery(["plans", "all"], "/admin/plans", { query: { limit: 200 } })).data ?? [];
  const choices = plans.map(({ slug, title }) => ({ id: slug, text: title }));
  const isKnown = choices.some(({ id }) => id === value);
  return (
    <Select
      label={o.account.plan}
      value={value}
      choices={isKnown ? choices : [{ id: value, text: value }, ...choices]}
      onChange={onChange}
    />
  );
}
