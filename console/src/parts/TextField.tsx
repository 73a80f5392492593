import { useId } from "react";
import { FieldError } from "react-aria-components/FieldError";
import { Input } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";
import { Text } from "react-aria-components/Text";
import { TextArea } from "react-aria-components/TextArea";
import { TextField as AriaTextField, type TextFieldProps } from "react-aria-components/TextField";

type Props = TextFieldProps & {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  /** Numbers, keys and the like go from left to right in every language. */
  isCode?: boolean;
  /** The direction of the text, if it is not that of its first letter. */
  dir?: "rtl" | "ltr" | "auto" | undefined;
  /** With rows, a text of several lines. */
  rows?: number;
  /** What may be chosen in place of typing it. */
  suggestions?: string[];
};

export function TextField({
  label,
  hint,
  error,
  isCode = false,
  dir = isCode ? "ltr" : "auto",
  rows,
  suggestions,
  // What a browser remembers of other fields is rarely what this one asks for.
  autoComplete = rows ? undefined : "off",
  ...props
}: Props) {
  const id = useId();
  return (
    <AriaTextField {...props} autoComplete={autoComplete} isInvalid={error !== undefined} className="field">
      <Label>{label}</Label>
      {hint && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      {rows ? (
        <TextArea rows={rows} dir={dir} className="input" />
      ) : (
        <Input dir={dir} className="input" {...(suggestions && { list: id })} />
      )}
      {suggestions && (
        <datalist id={id}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
      <FieldError className="bad">{error}</FieldError>
    </AriaTextField>
  );
}
