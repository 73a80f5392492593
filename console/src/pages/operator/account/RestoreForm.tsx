import { useState } from "react";
import { everything, useChange } from "../../../api/change.ts";
import { client, dataOf, type Schemas } from "../../../api/client.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Button } from "../../../parts/Button.tsx";
import { Code } from "../../../parts/Code.tsx";
import { ConfirmDialog } from "../../../parts/ConfirmDialog.tsx";
import { CopyButton } from "../../../parts/CopyButton.tsx";
import { DayField } from "../../../parts/DayField.tsx";
import { latinDigits } from "../../../parts/digits.ts";
import { Facts } from "../../../parts/Facts.tsx";
import { Form } from "../../../parts/Form.tsx";
import { TextField } from "../../../parts/TextField.tsx";

/** Takes an account back to a time, or takes such a step back itself. */
export function RestoreForm({ account }: { account: Schemas["Account"] }) {
  const { o, format } = useOperatorTexts();
  const [day, setDay] = useState<string | null>(null);
  const [time, setTime] = useState("");
  const [undo, setUndo] = useState("");
  const [reason, setReason] = useState("");
  const [isTried, setIsTried] = useState(false);
  const [isAsked, setIsAsked] = useState(false);
  const moment = momentOf(day, time);
  const at = undo.trim() || moment;
  const go = useChange({
    ask: () => {
      const params = { path: { id: account.id } };
      return dataOf(
        client.POST("/admin/accounts/{id}/restore", { params, body: { at: at ?? "", reason: reason.trim() } }),
      );
    },
    stale: everything,
    onDone: () => setIsAsked(false),
  });
  if (go.data) return <RestoreDone restored={go.data} />;
  const submit = () => {
    setIsTried(true);
    go.reset();
    if (at && reason.trim()) setIsAsked(true);
  };
  return (
    <Form className="card stack narrow" onSubmit={submit}>
      <h2>{o.restore.title}</h2>
      <p className="faint">{o.restore.lead}</p>
      <div className="fields">
        <DayField label={o.restore.day} value={day} onChange={setDay} />
        <TextField
          label={o.restore.time}
          error={isTried && !at ? o.restore.noTime : undefined}
          isCode
          value={time}
          onChange={setTime}
        />
      </div>
      <TextField label={o.restore.undo} hint={o.restore.undoHint} isCode value={undo} onChange={setUndo} />
      <TextField
        label={o.restore.reason}
        error={isTried && !reason.trim() ? o.form.missing : undefined}
        value={reason}
        onChange={setReason}
      />
      <div className="actions">
        <Button kind="danger" type="submit">
          {o.restore.open}
        </Button>
      </div>
      {isAsked && (
        <ConfirmDialog
          title={o.restore.ask(account.fullName)}
          submit={o.restore.submit}
          kind="danger"
          change={go}
          onSubmit={() => go.mutate()}
          onClose={() => setIsAsked(false)}
        >
          <p>{undo.trim() || !moment ? o.restore.textUndo : o.restore.text(format.moment(moment))}</p>
          <p>{o.restore.effect}</p>
        </ConfirmDialog>
      )}
    </Form>
  );
}

/** A time of a day in the person's time zone, such as `14:30`, as the API takes it. `null`: it is none. */
function momentOf(day: string | null, time: string): string | null {
  const moment = new Date(`${day}T${latinDigits(time).trim().padStart(5, "0")}`);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}

/** What a restore has changed, and the only way to take it back. */
function RestoreDone({ restored }: { restored: Schemas["Restored"] }) {
  const { o, format } = useOperatorTexts();
  const { walletBefore, walletAfter, inDoubt, canceled, undo } = restored;
  const money = (wallet: Schemas["Restored"]["walletAfter"]) => format.money(wallet.availableBalance, wallet.unit);
  return (
    <section className="card stack narrow" role="status">
      <h2>{o.restore.done}</h2>
      <p>{o.restore.sendingOff}</p>
      <Facts
        facts={[
          [o.restore.walletBefore, money(walletBefore)],
          [o.restore.walletAfter, money(walletAfter)],
          [o.restore.inDoubt, format.number(inDoubt)],
          [o.restore.canceled, format.number(canceled)],
          [
            o.restore.undo,
            <Code key="undo" className="uid">
              {undo}
            </Code>,
          ],
        ]}
      />
      <div className="actions">
        <CopyButton text={undo} />
      </div>
    </section>
  );
}
