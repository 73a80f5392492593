import { useState } from "react";
import { answer, client, type Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { useTexts } from "../../format/texts.ts";
import { Button } from "../../parts/Button.tsx";
import { Confirm } from "../../parts/ConfirmDialog.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { numberOf } from "../compose/numbers.ts";

type Props = { phonebookId: string; of: Schemas["Number"]; onClose: () => void };

export function EditDialog({ phonebookId, of, onClose }: Props) {
  const t = useMessages();
  const [number, setNumber] = useState<string>(of.number);
  const [name, setName] = useState(of.name ?? "");
  const [attributes, setAttributes] = useState(
    Object.entries(of.attributes).map(([title, value], id): Attribute => ({ id, title, value })),
  );
  const isNumber = numberOf(number) !== null;
  return (
    <Confirm
      title={t.phonebook.editTitle}
      submit={t.phonebooks.save}
      isForm
      isWhole={isNumber}
      ask={() => {
        const params = { path: { phonebookId, numberId: of.id } };
        const body = { number, name: name.trim() || null, attributes: attributesOf(attributes) };
        return answer(client.PUT("/phonebook/number/{phonebookId}/{numberId}", { params, body }));
      }}
      stale={[["phonebooks"]]}
      onClose={onClose}
    >
      <TextField
        label={t.phonebook.number}
        error={isNumber ? undefined : t.phonebook.noNumber}
        isCode
        inputMode="tel"
        value={number}
        onChange={setNumber}
      />
      <TextField label={t.phonebook.name} maxLength={200} value={name} onChange={setName} />
      <AttributeFields value={attributes} onChange={setAttributes} />
    </Confirm>
  );
}

type Attribute = { id: number; title: string; value: string };

/** A number has so many at most. */
const most = 20;

/** What is to be saved. A row without a title or a value is none. */
const attributesOf = (rows: Attribute[]): Record<string, string> | null => {
  const filled = rows.filter(({ title, value }) => title.trim() !== "" && value.trim() !== "");
  return filled.length > 0 ? Object.fromEntries(filled.map(({ title, value }) => [title.trim(), value])) : null;
};

function AttributeFields({ value, onChange }: { value: Attribute[]; onChange: (rows: Attribute[]) => void }) {
  const { t, format } = useTexts();
  const change = (id: number, part: Partial<Attribute>) =>
    onChange(value.map((row) => (row.id === id ? { ...row, ...part } : row)));
  const nextId = Math.max(-1, ...value.map(({ id }) => id)) + 1;
  return (
    <fieldset className="field attribute-fields">
      <legend>{t.phonebook.attributes}</legend>
      <span className="hint">{t.phonebook.attributesHint}</span>
      {value.map(({ id, title, value: text }, index) => {
        const place = format.number(index + 1);
        return (
          <div key={id} className="pair">
            <TextField
              label={t.phonebook.attributeTitle(place)}
              maxLength={50}
              value={title}
              onChange={(title) => change(id, { title })}
            />
            <TextField
              label={t.phonebook.attributeValue(place)}
              value={text}
              onChange={(value) => change(id, { value })}
            />
          </div>
        );
      })}
      {value.length < most && (
        <Button kind="link" onPress={() => onChange([...value, { id: nextId, title: "", value: "" }])}>
          {t.phonebook.addAttribute}
        </Button>
      )}
    </fieldset>
  );
}
