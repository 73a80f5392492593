import { useState } from "react";
import { Input } from "react-aria-components/Input";
import { useMessages } from "../../base/messages.ts";
import { useTexts } from "../../format/texts.ts";
import { Button } from "../../parts/Button.tsx";
import { Form } from "../../parts/Form.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { LandlineChoice } from "./LandlineChoice.tsx";
import {
  distinct,
  type Entry,
  isLandline,
  isScientific,
  type Landlines,
  numberOf,
  replaced,
  without,
} from "./numbers.ts";

type Props = {
  value: string;
  entries: Entry[];
  people: number;
  error: string | undefined;
  onChange: (numbers: string) => void;
  /** What is done with landlines, where that is asked. */
  landlines?: { value: Landlines; onChange: (landlines: Landlines) => void } | undefined;
};

export function NumbersField({ value, entries, people, error, onChange, landlines }: Props) {
  const { t, format } = useTexts();
  const bad = entries.filter(({ number }) => number === null);
  const numbers = distinct(entries);
  const double = entries.length - bad.length - numbers.length;
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
      {landlines && <LandlineChoice count={numbers.filter(isLandline).length} {...landlines} />}
      {bad.length > 0 && (
        <>
          {bad.some(({ text }) => isScientific(text)) && <p className="note">{t.compose.scientific}</p>}
          <BadEntries text={value} entries={bad} onChange={onChange} />
          <Button kind="link" onPress={() => onChange(without(value, bad))}>
            {t.compose.leaveOutAll}
          </Button>
        </>
      )}
    </div>
  );
}

/** How many are shown at once: who has mended them sees the next ones. */
const shown = 10;

type BadEntriesProps = { text: string; entries: Entry[]; onChange: (text: string) => void };

/** What is no phone number, each to be mended or left out. */
function BadEntries({ text, entries, onChange }: BadEntriesProps) {
  const t = useMessages();
  return (
    <fieldset className="bad-entries">
      <legend className="hint">{t.compose.badHint}</legend>
      <ul>
        {entries.slice(0, shown).map((entry) => (
          <li key={`${entry.from} ${entry.text}`}>
            <BadEntry entry={entry} onChange={(by) => onChange(replaced(text, entry, by))} />
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

function BadEntry({ entry, onChange }: { entry: Entry; onChange: (by: string) => void }) {
  const t = useMessages();
  const [value, setValue] = useState(entry.text);
  const mend = () => {
    if (numberOf(value) !== null) onChange(value.trim());
  };
  return (
    <Form className="row" onSubmit={mend}>
      <Input
        className="input"
        dir="ltr"
        aria-label={t.compose.badEntry(entry.text)}
        aria-invalid={numberOf(value) === null}
        value={value}
        onChange={(event) => setValue(event.target.value)}
        onBlur={mend}
      />
      <Button kind="quiet" aria-label={t.compose.leaveOut(entry.text)} onPress={() => onChange("")}>
        {t.compose.leaveOutShort}
      </Button>
    </Form>
  );
}
