import { useMessages } from "../../../base/messages.ts";
import { TextField } from "../../../parts/TextField.tsx";

type Props = { value: string; isTried: boolean; onChange: (title: string) => void };

export function TitleField({ value, isTried, onChange }: Props) {
  const t = useMessages();
  return (
    <TextField
      label={t.passkeys.name}
      hint={t.passkeys.nameHint}
      error={isTried && value.trim() === "" ? t.passkeys.noName : undefined}
      value={value}
      onChange={onChange}
      maxLength={100}
      autoComplete="off"
      autoFocus
    />
  );
}
