import { useTexts } from "../../format/texts.ts";
import { Button } from "../../parts/Button.tsx";
import { TextField } from "../../parts/TextField.tsx";

export type Attribute = { id: number; title: string; value: string };

/** A number has so many at most. */
const most = 20;

/** What is to be saved. A row without a title or a value is none. */
export const attributesOf = (rows: Attribute[]): Record<string, string> | null => {
  const filled = rows.filter(({ title, value }) => title.trim() !== "" && value.trim() !== "");
  return filled.length > 0 ? Object.fromEntries(filled.map(({ title, value }) => [title.trim(), value])) : null;
};

export function AttributeFields({ value, onChange }: { value: Attribute[]; onChange: (rows: Attribute[]) => void }) {
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
              autoComplete="off"
              value={title}
              onChange={(title) => change(id, { title })}
            />
            <TextField
              label={t.phonebook.attributeValue(place)}
              autoComplete="off"
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
