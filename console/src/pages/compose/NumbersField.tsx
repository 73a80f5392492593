import { useTexts } from "../../format/texts.ts";
import { Button } from "../../parts/Button.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { BadEntries } from "./BadEntries.tsx";
import { type Entry, without } from "./numbers.ts";

type Props = {
  value: string;
  entries: Entry[];
  people: number;
  error: string | undefined;
  onChange: (numbers: string) => void;
};

export function NumbersField({ value, entries, people, error, onChange }: Props) {
  const { t, format } = useTexts();
  const bad = entries.filter(({ number }) => number === null);
  const double = entries.length - bad.length - people;
  const said = [
    people > 0 && t.compose.found(format.number(people)),
    double > 0 && t.compose.double(format.number(double)),
    bad.length > 0 && t.compose.bad(format.number(bad.length)),
  ].filter(Boolean);
  return (
    <div className="stack">
      <TextField
        label={t.compose.numbers}
        hint={t.compose.numbersHint}
        error={error}
        isCode
        rows={6}
        value={value}
        onChange={onChange}
      />
      <p className="hint" role="status">
        {said.join(" · ")}
      </p>
      {bad.length > 0 && (
        <>
          <BadEntries text={value} entries={bad} onChange={onChange} />
          <Button kind="link" onPress={() => onChange(without(value, bad))}>
            {t.compose.leaveOutAll}
          </Button>
        </>
      )}
    </div>
  );
}
