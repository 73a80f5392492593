import { useEffect, useState } from "react";
import { useChange } from "../../../api/change.ts";
import { useMessages } from "../../../base/messages.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { Button } from "../../../parts/Button.tsx";
import { ProblemText } from "../../../parts/Failure.tsx";
import { Form } from "../../../parts/Form.tsx";
import { Icon } from "../../../parts/Icon.tsx";
import { TextField } from "../../../parts/TextField.tsx";
import { accountLike, useUsernames } from "./accounts.ts";

type Props = { label: string; value: string; onChange: (id: string) => void };

/** Narrows a list down to an account, which is found by its name. The address has its id. */
export function AccountFilter({ label, value, onChange }: Props) {
  const t = useMessages();
  const o = useOperatorMessages();
  const [name = ""] = useUsernames(value ? [value] : []);
  const [text, setText] = useState(name);
  useEffect(() => setText(name), [name]);
  const look = useChange({
    ask: (typed: string) => accountLike(typed),
    onDone: (found) => {
      if (found) onChange(found.id);
    },
  });
  const submit = () => {
    const typed = text.trim();
    if (typed === name) return;
    if (typed === "") onChange("");
    else look.mutate(typed);
  };
  return (
    <Form className="search" onSubmit={submit}>
      <TextField
        label={label}
        error={look.data === null ? o.accountField.noOne : undefined}
        value={text}
        onChange={(typed) => {
          setText(typed);
          look.reset();
        }}
      />
      <Button type="submit" kind="quiet" aria-label={t.form.search} isPending={look.isPending}>
        <Icon name="search" />
      </Button>
      {look.error && <ProblemText error={look.error} />}
    </Form>
  );
}
