import { useEffect, useState } from "react";
import { useMessages } from "../base/messages.ts";
import { Button } from "./Button.tsx";
import { Form } from "./Form.tsx";
import { Icon } from "./Icon.tsx";
import { TextField } from "./TextField.tsx";

type Props = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  inputMode?: "tel" | "text";
  isCode?: boolean;
  maxLength?: number;
};

/** A number or an id is looked for when it is whole: with the button, with Enter, or when the field is left. */
export function SearchField({ value, onChange, isCode = true, ...props }: Props) {
  const t = useMessages();
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const look = () => {
    if (text.trim() !== value) onChange(text.trim());
  };
  return (
    <Form className="search" onSubmit={look}>
      <TextField {...props} isCode={isCode} value={text} onChange={setText} onBlur={look} />
      <Button type="submit" kind="quiet" aria-label={t.form.search}>
        <Icon name="search" />
      </Button>
    </Form>
  );
}
