import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { Button } from "../../../parts/Button.tsx";
import { faultAt } from "../../../parts/faults.ts";
import { Icon } from "../../../parts/Icon.tsx";
import { TextField } from "../../../parts/TextField.tsx";
import { emptyRow, type PriceRow } from "./draft.ts";

type Props = { rows: PriceRow[]; error: Error | null; onChange: (rows: PriceRow[]) => void };

/** The prices for numbers abroad, or for a range of numbers. */
export function PriceRows({ rows, error, onChange }: Props) {
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
            autoComplete="off"
            value={row.prefix}
            onChange={(prefix) => change(row.id, { prefix })}
          />
          <TextField
            label={o.plans.partPrice}
            error={faultAt(error, `/tariff/prices/${index}/price`)}
            isCode
            inputMode="numeric"
            autoComplete="off"
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
