import { type KeyboardEvent, useState } from "react";
import { useChange } from "../../../api/change.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { Button } from "../../../parts/Button.tsx";
import { ProblemText } from "../../../parts/Failure.tsx";
import { TextField } from "../../../parts/TextField.tsx";
import { accountNamed } from "./accounts.ts";

type Props = { label: string; add: string; onFound: (id: string) => void };

/** Finds an account by its username, and hands its id on. */
export function AccountField({ label, add, onFound }: Props) {
  const o = useOperatorMessages();
  const [name, setName] = useState("");
  const look = useChange({
    ask: () => accountNamed(name.trim()),
    onDone: (account) => {
      if (!account) return;
      onFound(account.id);
      setName("");
    },
  });
  const lookAt = () => {
    if (name.trim() !== "") look.mutate();
  };
  /** The field stands in a form that Enter would send. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    lookAt();
  };
  return (
    <div>
      <div className="account-field">
        <TextField
          label={label}
          error={look.data === null ? o.accountField.none : undefined}
          isCode
          value={name}
          onChange={(text) => {
            setName(text);
            look.reset();
          }}
          onKeyDown={onKeyDown}
        />
        <Button kind="quiet" onPress={lookAt} isPending={look.isPending}>
          {add}
        </Button>
      </div>
      {look.error && <ProblemText error={look.error} />}
    </div>
  );
}
