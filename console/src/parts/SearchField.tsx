import { useEffect, useState } from "react";
import { Form } from "./Form.tsx";
import { TextField } from "./TextField.tsx";

type Props = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  inputMode?: "tel" | "text";
  isCode?: boolean;
  maxLength?: number;
};

/** A number or an id is looked for when it is whole: with Enter, or when the field is left. */
export function SearchField({ value, onChange, isCode = true, ...props }: Props) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const look = () => {
    if (text.trim() !== value) onChange(text.trim());
  };
  return (
    <Form className="" onSubmit={look}>
      <TextField {...props} isCode={isCode} value={text} onChange={setText} onBlur={look} />
    </Form>
  );
}
