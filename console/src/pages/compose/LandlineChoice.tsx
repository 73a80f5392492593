import { useTexts } from "../../format/texts.ts";
import { RadioChoice } from "../../parts/RadioChoice.tsx";
import { choicesOf } from "../../parts/Select.tsx";
import type { Landlines } from "./numbers.ts";

type Props = { count: number; value: Landlines; onChange: (landlines: Landlines) => void };

/** Asks what is done with the landlines, if there are any. */
export function LandlineChoice({ count, value, onChange }: Props) {
  const { t, format } = useTexts();
  if (count === 0) return null;
  return (
    <RadioChoice
      label={t.landlines.found(format.number(count))}
      value={value}
      choices={choicesOf(t.landlines.choices)}
      onChange={(landlines) => onChange(landlines as Landlines)}
    />
  );
}
