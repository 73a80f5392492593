import { type FormEvent, useState } from "react";
import { client, dataOf } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { Button } from "../../../parts/Button.tsx";
import { Confirm } from "../../../parts/ConfirmDialog.tsx";
import { latinDigits } from "../../../parts/digits.ts";
import { TextField } from "../../../parts/TextField.tsx";

export function StartForm() {
  const o = useOperatorMessages();
  const [typed, setTyped] = useState("");
  const [isAsked, setIsAsked] = useState(false);
  const number = latinDigits(typed).trim();
  const done = () => {
    setTyped("");
    setIsAsked(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
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
        <Confirm
          title={o.erasures.title(number)}
          submit={o.erasures.submit}
          kind="danger"
          ask={() => dataOf(client.POST("/admin/erasures", { body: { number } }))}
          stale={[["erasures"]]}
          onDone={done}
          onClose={() => setIsAsked(false)}
        >
          <p>{o.erasures.text}</p>
        </Confirm>
      )}
    </form>
  );
}
