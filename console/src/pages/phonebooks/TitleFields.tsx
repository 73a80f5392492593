import { useMessages } from "../../base/messages.ts";
import { TextField } from "../../parts/TextField.tsx";

/** What a phonebook is called. An empty description counts as none. */
type Titles = { title: string; description: string };

export const bodyOf = ({ title, description }: Titles) => ({
  title: title.trim(),
  description: description.trim() || null,
});

type Props = { value: Titles; isTried: boolean; onChange: (titles: Titles) => void };

export const hasTitle = ({ title }: Titles) => title.trim() !== "";

export function TitleFields({ value, isTried, onChange }: Props) {
  const t = useMessages();
  return (
    <>
      <TextField
        label={t.phonebooks.name}
        error={isTried && !hasTitle(value) ? t.phonebooks.noName : undefined}
        value={value.title}
        onChange={(title) => onChange({ ...value, title })}
        maxLength={200}
        autoFocus
      />
      <TextField
        label={t.phonebooks.description}
        value={value.description}
        onChange={(description) => onChange({ ...value, description })}
        maxLength={1_000}
      />
    </>
  );
}
