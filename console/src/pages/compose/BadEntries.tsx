import { type FormEvent, useState } from "react";
import { Input } from "react-aria-components/Input";
import { useMessages } from "../../base/messages.ts";
import { Button } from "../../parts/Button.tsx";
import { type Entry, numberOf, replaced } from "./numbers.ts";

/** How many are shown at once: who has mended them sees the next ones. */
const shown = 10;

type Props = { text: string; entries: Entry[]; onChange: (text: string) => void };

/** What is no phone number, each to be mended or left out. */
export function BadEntries({ text, entries, onChange }: Props) {
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mend();
  };
  return (
    <form className="row" onSubmit={submit}>
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
    </form>
  );
}
