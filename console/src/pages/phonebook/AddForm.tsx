import { useDeferredValue, useState } from "react";
import { useChange } from "../../api/change.ts";
import { client, dataOf } from "../../api/client.ts";
import type { useMessages } from "../../base/messages.ts";
import { useTexts } from "../../format/texts.ts";
import { Button } from "../../parts/Button.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { Form } from "../../parts/Form.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { NumbersField } from "../compose/NumbersField.tsx";
import { type Entry, entriesOf } from "../compose/numbers.ts";

const limit = 1_000;

const distinct = (entries: Entry[]) => [...new Set(entries.flatMap(({ number }) => number ?? []))];

/** Adds one number with its name, or several as they are pasted. */
export function AddForm({ phonebookId, onClose }: { phonebookId: string; onClose: () => void }) {
  const { t, format } = useTexts();
  const [text, setText] = useState("");
  const [name, setName] = useState("");
  const [isTried, setIsTried] = useState(false);
  const entries = entriesOf(useDeferredValue(text));
  const numbers = distinct(entries);
  const save = useChange({
    ask: (numbers: string[]) =>
      dataOf(
        client.POST("/phonebook/number/{phonebookId}", {
          params: { path: { phonebookId } },
          body: {
            numbers: numbers.map((number) => ({
              number,
              ...(numbers.length === 1 && name.trim() && { name: name.trim() }),
            })),
          },
        }),
      ),
    stale: [["phonebooks"]],
    onDone: () => {
      setText("");
      setName("");
      setIsTried(false);
    },
  });
  const submit = () => {
    setIsTried(true);
    // The newest text counts, which the list of numbers may not show yet.
    const written = entriesOf(text);
    if (faultOf(t, written) === undefined) save.mutate(distinct(written));
  };
  return (
    <section className="card stack narrow">
      <h2>{t.phonebook.add}</h2>
      <NumbersField
        value={text}
        entries={entries}
        people={numbers.length}
        error={isTried ? faultOf(t, entries) : undefined}
        onChange={setText}
      />
      <Form onSubmit={submit}>
        {numbers.length === 1 && <TextField label={t.phonebook.name} maxLength={200} value={name} onChange={setName} />}
        {save.error && <ProblemText error={save.error} />}
        <p className="good" role="status">
          {save.data ? t.phonebook.added(format.number(save.data.added), format.number(save.data.updated)) : ""}
        </p>
        <div className="actions">
          <Button kind="quiet" onPress={onClose}>
            {t.app.close}
          </Button>
          <Button type="submit" isPending={save.isPending}>
            {t.phonebook.addSubmit}
          </Button>
        </div>
      </Form>
    </section>
  );
}

function faultOf(t: ReturnType<typeof useMessages>, entries: Entry[]): string | undefined {
  if (entries.length === 0) return t.compose.noNumbers;
  if (entries.some(({ number }) => number === null)) return t.compose.mendFirst;
  return distinct(entries).length > limit ? t.phonebook.tooMany : undefined;
}
