import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useMessages } from "../../../base/messages.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { Button } from "../../../parts/Button.tsx";
import { ConfirmDialog } from "../../../parts/ConfirmDialog.tsx";
import { latinDigits } from "../../../parts/digits.ts";
import { TextField } from "../../../parts/TextField.tsx";
import { startErasure } from "./queries.ts";

export function StartForm() {
  const t = useMessages();
  const o = useOperatorMessages();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState("");
  const [isAsked, setIsAsked] = useState(false);
  const number = latinDigits(typed).trim();
  const start = useMutation({
    mutationFn: () => startErasure(number),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ["erasures"] });
      setTyped("");
      setIsAsked(false);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.reset();
    if (number) setIsAsked(true);
  };
  return (
    <form className="card stack narrow" onSubmit={submit} noValidate>
      <div className="row">
        <TextField
          label={o.erasures.number}
          isCode
          inputMode="tel"
          autoComplete="off"
          value={typed}
          onChange={setTyped}
        />
        <Button kind="danger" type="submit">
          {o.erasures.open}
        </Button>
      </div>
      {isAsked && (
        <ConfirmDialog
          title={o.erasures.title(number)}
          submit={o.erasures.submit}
          keep={t.form.cancel}
          kind="danger"
          isPending={start.isPending}
          error={start.error}
          onSubmit={() => start.mutate()}
          onClose={() => setIsAsked(false)}
        >
          <p>{o.erasures.text}</p>
        </ConfirmDialog>
      )}
    </form>
  );
}
