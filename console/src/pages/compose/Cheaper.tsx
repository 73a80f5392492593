import { useTexts } from "../../format/texts.ts";
import { Button } from "../../parts/Button.tsx";

type Props = {
  alternatives: { text: string; cost: number }[];
  cost: number;
  unit: string;
  text: string;
  onUse: (text: string) => void;
};

/** The cheapest text that reads the same, if there is one. */
export function Cheaper({ alternatives: [cheapest], cost, unit, text, onUse }: Props) {
  const { t, format } = useTexts();
  if (!cheapest || cheapest.text === text) return null;
  const saved = cost - cheapest.cost;
  return (
    <div className="note">
      <p>
        <b>{saved > 0 ? t.compose.cheaper(format.money(saved, unit)) : t.compose.cheaperParts}</b>
        <br />
        {t.compose.cheaperText}
      </p>
      <Button kind="quiet" onPress={() => onUse(cheapest.text)}>
        {t.compose.useCheaper}
      </Button>
    </div>
  );
}
