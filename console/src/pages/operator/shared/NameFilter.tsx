import { type FormEvent, useEffect, useState } from "react";
import { goTo, useRoute } from "../../../base/router.ts";
import { Filters } from "../../../parts/Filters.tsx";
import { TextField } from "../../../parts/TextField.tsx";

type Props = { label: string; name?: string };

/** Finds by a name or a number. It stands in the address, and is looked for with Enter, or when the field is left. */
export function NameFilter({ label, name = "q" }: Props) {
  const { path, query } = useRoute();
  const value = query.get(name) ?? "";
  return (
    <Filters onClear={value ? () => goTo(path) : undefined}>
      <SearchField label={label} value={value} onChange={(text) => goTo(path, { [name]: text })} />
    </Filters>
  );
}

type FieldProps = { label: string; value: string; onChange: (text: string) => void };

export function SearchField({ label, value, onChange }: FieldProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const look = () => {
    if (text.trim() !== value) onChange(text.trim());
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    look();
  };
  return (
    <form onSubmit={submit}>
      <TextField label={label} isCode autoComplete="off" value={text} onChange={setText} onBlur={look} />
    </form>
  );
}
