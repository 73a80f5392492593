import { useState } from "react";
import { useChange } from "../../../api/change.ts";
import { answer, client, type Schemas } from "../../../api/client.ts";
import { href } from "../../../base/router.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Button } from "../../../parts/Button.tsx";
import { ConfirmDialog, type LookActs } from "../../../parts/ConfirmDialog.tsx";
import { Form } from "../../../parts/Form.tsx";
import { RadioChoice } from "../../../parts/RadioChoice.tsx";
import { TextField } from "../../../parts/TextField.tsx";
import { wholeOf } from "../../../parts/whole.ts";

type Account = Schemas["Account"];

type Done = { amount: number; pending: Schemas["PendingCredit"] | null };

/** Money for a wallet, or out of it. One form is one credit, however often it is sent: its key goes with it. */
export function CreditForm({ account, onClose }: { account: Account; onClose: () => void }) {
  const { t, o, format } = useOperatorTexts();
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const [direction, setDirection] = useState("add");
  const [typed, setTyped] = useState("");
  const [note, setNote] = useState("");
  const [isTried, setIsTried] = useState(false);
  const [isLooking, setIsLooking] = useState(false);
  const size = wholeOf(typed) ?? 0;
  const amount = direction === "add" ? size : -size;
  const give = useChange({
    ask: async () => {
      const params = { path: { id: account.id }, header: { "Idempotency-Key": idempotencyKey } };
      const body = { amount, ...(note.trim() && { note: note.trim() }) };
      return (await answer(client.POST("/admin/accounts/{id}/credit", { params, body }))).data;
    },
    stale: [["accounts"], ["credits"]],
    onDone: () => setIsLooking(false),
  });
  // Above the limit of the service, the answer is no wallet but a credit that waits for a second operator.
  if (give.data) {
    const pending = "status" in give.data ? give.data : null;
    return <CreditDone account={account} done={{ amount, pending }} onClose={onClose} />;
  }
  const look = () => {
    setIsTried(true);
    if (size > 0) setIsLooking(true);
  };
  return (
    <Form className="card stack narrow" onSubmit={look}>
      <h2>{o.credit.open}</h2>
      <RadioChoice
        label={o.credit.direction}
        value={direction}
        onChange={setDirection}
        choices={[
          { id: "add", text: o.credit.add },
          { id: "take", text: o.credit.take },
        ]}
      />
      <TextField
        label={o.credit.amount}
        hint={format.unit(account.wallet.unit)}
        error={isTried && size <= 0 ? o.credit.noAmount : undefined}
        isCode
        inputMode="numeric"
        value={typed}
        onChange={setTyped}
        autoFocus
      />
      <TextField label={o.credit.note} hint={o.credit.noteHint} value={note} onChange={setNote} />
      <div className="actions">
        <Button kind="quiet" onPress={onClose}>
          {t.form.cancel}
        </Button>
        <Button type="submit">{o.credit.look}</Button>
      </div>
      {isLooking && (
        <LastLook
          account={account}
          amount={amount}
          change={give}
          onSubmit={() => give.mutate()}
          onClose={() => setIsLooking(false)}
        />
      )}
    </Form>
  );
}

function LastLook({ account: { fullName, wallet }, amount, ...acts }: LookActs & { account: Account; amount: number }) {
  const { o, format } = useOperatorTexts();
  const money = (value: number) => format.money(value, wallet.unit);
  const isAdding = amount > 0;
  const size = money(Math.abs(amount));
  return (
    <ConfirmDialog
      title={isAdding ? o.credit.addTitle(size) : o.credit.takeTitle(size)}
      submit={isAdding ? o.credit.addSubmit(size) : o.credit.takeSubmit(size)}
      kind={isAdding ? "main" : "danger"}
      {...acts}
    >
      <p>{o.credit.effect(fullName, money(wallet.availableBalance), money(wallet.availableBalance + amount))}</p>
      <p className="hint">{o.credit.second}</p>
    </ConfirmDialog>
  );
}

function CreditDone({ account, done, onClose }: { account: Account; done: Done; onClose: () => void }) {
  const { o, format } = useOperatorTexts();
  const change = format.change(done.amount, account.wallet.unit);
  return (
    <section className="note" role="status">
      <p>{done.pending ? o.credit.waits(change) : o.credit.done(change)}</p>
      {done.pending && <a href={href("/credits")}>{o.pages.credits}</a>}
      <Button kind="quiet" onPress={onClose}>
        {o.form.ok}
      </Button>
    </section>
  );
}
