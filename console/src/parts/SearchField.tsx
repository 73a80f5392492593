import { type FormEvent, useEffect, useState } from "react";
import { TextField } from "./TextField.tsx";

type Props = { label: string; value: string; onChange: (value: string) => void; inputMode?: "tel" | "text" };

/** A number or an id is looked for when it is whole: with Enter, or when the field is left. */
export function SearchField({ label, value, onChange, inputMode = "text" }: Props) {
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
      <TextField label={label} isCode inputMode={inputMode} value={text} onChange={setText} onBlur={look} />
    </form>
  );
}
