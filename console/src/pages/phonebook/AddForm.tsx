import { useState } from "react";
import { client, dataOf } from "../../api/client.ts";
import { useTexts } from "../../format/texts.ts";
import { TextField } from "../../parts/TextField.tsx";
import { NumbersForm } from "../compose/NumbersForm.tsx";

/** Adds one number with its name, or several as they are pasted. */
export function AddForm({ phonebookId, onClose }: { phonebookId: string; onClose: () => void }) {
  const { t, format } = useTexts();
  const [typed, setTyped] = useState("");
  const ask = (numbers: string[]) => {
    const name = numbers.length === 1 && typed.trim();
    const body = { numbers: numbers.map((number) => ({ number, ...(name && { name }) })) };
    return dataOf(client.POST("/phonebook/number/{phonebookId}", { params: { path: { phonebookId } }, body }));
  };
  return (
    <NumbersForm
      title={t.phonebook.add}
      isNarrow
      areRecipients
      tooMany={t.phonebook.tooMany}
      submitOf={() => t.phonebook.addSubmit}
      ask={ask}
      stale={[["phonebooks"]]}
      onDone={() => setTyped("")}
      done={({ added, updated }) => t.phonebook.added(format.number(added), format.number(updated))}
      close={t.app.close}
      onClose={onClose}
    >
      {(count) =>
        count === 1 && <TextField label={t.phonebook.name} maxLength={200} value={typed} onChange={setTyped} />
      }
    </NumbersForm>
  );
}
