import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client, dataOf } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { useTexts } from "../../format/texts.ts";
import { Button } from "../../parts/Button.tsx";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { Form } from "../../parts/Form.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { numberOf } from "../compose/numbers.ts";

export function EraseForm() {
  const t = useMessages();
  const [text, setText] = useState("");
  const [isTried, setIsTried] = useState(false);
  const [asked, setAsked] = useState<string | null>(null);
  const [isOrdered, setIsOrdered] = useState(false);
  const number = numberOf(text);
  const submit = () => {
    setIsTried(true);
    setIsOrdered(false);
    setAsked(number);
  };
  const done = () => {
    setText("");
    setIsTried(false);
    setIsOrdered(true);
    setAsked(null);
  };
  return (
    <section className="card stack narrow">
      <Form onSubmit={submit}>
        <TextField
          label={t.erasures.number}
          error={isTried && number === null ? t.erasures.noNumber : undefined}
          isCode
          inputMode="tel"
          autoComplete="off"
          value={text}
          onChange={setText}
        />
        <div className="actions">
          <span role="status">{isOrdered ? t.erasures.ordered : ""}</span>
          <Button type="submit" kind="danger">
            {t.erasures.erase}
          </Button>
        </div>
      </Form>
      {asked && <EraseDialog number={asked} onDone={done} onClose={() => setAsked(null)} />}
    </section>
  );
}

function EraseDialog({ number, onDone, onClose }: { number: string; onDone: () => void; onClose: () => void }) {
  const { t, format } = useTexts();
  const queryClient = useQueryClient();
  const order = useMutation({
    mutationFn: () => dataOf(client.POST("/erasures", { body: { number } })),
    onSuccess: () => {
      // Messages, conversations and the blacklist have the number no more.
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
      onDone();
    },
  });
  return (
    <ConfirmDialog
      title={t.erasures.askTitle(`\u2066${format.phone(number)}\u2069`)}
      submit={t.erasures.submit}
      kind="danger"
      change={order}
      onSubmit={() => order.mutate()}
      onClose={onClose}
    >
      <p>{t.erasures.text}</p>
      <ul className="plain">
        {Object.values(t.erasures.goes).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <p className="bad">{t.erasures.forGood}</p>
    </ConfirmDialog>
  );
}
