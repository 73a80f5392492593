import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client, dataOf, type Schemas } from "../../../api/client.ts";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Badge } from "../../../parts/Badge.tsx";
import { Button } from "../../../parts/Button.tsx";
import { Confirm, ConfirmDialog } from "../../../parts/ConfirmDialog.tsx";
import { DialogButton } from "../../../parts/DialogButton.tsx";
import { TextField } from "../../../parts/TextField.tsx";
import { accountQuery, changeAccount, unsentQuery } from "../queries.ts";
import { UnsentFacts, useReserved } from "./Unsent.tsx";

/** What stands in the way of an account's messages. */
export function StateBadges({ account }: { account: Schemas["Account"] }) {
  const o = useOperatorMessages();
  if (account.closedAt) return <Badge tone="bad">{o.closing.badge}</Badge>;
  const isFree = account.status === "ACTIVE" && account.sendingEnabled && !account.hold;
  return (
    <span className="badges">
      {isFree && <Badge tone="good">{o.accounts.states.ACTIVE}</Badge>}
      {account.status === "INACTIVE" && <Badge tone="bad">{o.accounts.states.INACTIVE}</Badge>}
      {!account.sendingEnabled && <Badge tone="bad">{o.accounts.sendingOff}</Badge>}
      {account.hold && <Badge tone="warn">{o.accounts.onHold}</Badge>}
    </span>
  );
}

/** Each switch of an account: how it stands, what that means, and the way to turn it. */
export function AccountState({ account }: { account: Schemas["Account"] }) {
  const o = useOperatorMessages();
  const mayChange = useMay("admin:accounts");
  const [turned, setTurned] = useState<Switch | null>(null);
  const isOn: Record<Switch, boolean> = {
    status: account.status === "ACTIVE",
    sending: account.sendingEnabled,
    hold: !account.hold,
  };
  return (
    <section className="card switches">
      <h2>{o.switches.title}</h2>
      {account.reason && <p>{o.switches.told(account.reason)}</p>}
      <ul>
        {(["status", "sending", "hold"] as const).map((name) => (
          <li key={name}>
            <div>
              <b>{isOn[name] ? o.switches.on[name] : o.switches.off[name]}</b>
              <p className="hint">{o.switches.meaning[name]}</p>
            </div>
            {mayChange && (
              <Button kind="quiet" onPress={() => setTurned(name)}>
                {isOn[name] ? o.switches.turnOff[name] : o.switches.turnOn[name]}
              </Button>
            )}
          </li>
        ))}
        {mayChange && (
          <li>
            <div>
              <b>{o.cancelAll.title}</b>
              <p className="hint">{o.cancelAll.meaning}</p>
            </div>
            <DialogButton
              kind="danger"
              text={o.cancelAll.open}
              dialog={(close) => <CancelAllDialog account={account} onClose={close} />}
            />
          </li>
        )}
      </ul>
      {turned && <SwitchDialog account={account} turned={turned} isOn={isOn[turned]} onClose={() => setTurned(null)} />}
    </section>
  );
}

/** Takes back all that has not left, and says afterwards how much that was. */
function CancelAllDialog({ account, onClose }: { account: Schemas["Account"]; onClose: () => void }) {
  const { o, format } = useOperatorTexts();
  const queryClient = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => cancelAll(account.id),
    // A part of it may be done also if it has failed.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["accounts"] }),
  });
  const reserved = useReserved(account);
  const { data: done } = cancel;
  return (
    <ConfirmDialog
      title={o.cancelAll.ask(account.fullName)}
      submit={done ? o.form.ok : o.cancelAll.submit}
      kind={done ? "main" : "danger"}
      change={cancel}
      onSubmit={done ? onClose : () => cancel.mutate()}
      onClose={onClose}
    >
      {!done && <UnsentFacts id={account.id} />}
      <p role="status">
        {done
          ? o.cancelAll.done(format.number(done.canceled), format.number(done.withCarriers))
          : o.cancelAll.text(reserved)}
      </p>
    </ConfirmDialog>
  );
}

/** One request may be too little for all of it. The rest does not leave meanwhile, so the next one goes on. */
async function cancelAll(id: string) {
  let canceled = 0;
  for (;;) {
    const data = await dataOf(client.POST("/admin/accounts/{id}/cancel", { params: { path: { id } } }));
    canceled += data.canceled;
    if (data.complete) return { canceled, withCarriers: data.withCarriers };
  }
}

type Switch = "status" | "sending" | "hold";

const changes: Record<Switch, (isOn: boolean) => Schemas["AccountChange"]> = {
  status: (isOn) => ({ status: isOn ? "ACTIVE" : "INACTIVE" }),
  sending: (isOn) => ({ sendingEnabled: isOn }),
  hold: (isOn) => ({ hold: !isOn }),
};

type Props = { account: Schemas["Account"]; turned: Switch; isOn: boolean; onClose: () => void };

/** Says what becomes of what waits, before a switch of an account is turned. */
function SwitchDialog({ account, turned, isOn, onClose }: Props) {
  const o = useOperatorMessages();
  const reserved = useReserved(account);
  const [reason, setReason] = useState(account.reason ?? "");
  return (
    <Confirm
      isForm={isOn}
      title={(isOn ? o.switches.offTitle[turned] : o.switches.onTitle[turned])(account.fullName)}
      submit={isOn ? o.switches.turnOff[turned] : o.switches.turnOn[turned]}
      kind={isOn ? "danger" : "main"}
      ask={() =>
        changeAccount(account.id, { ...changes[turned](!isOn), ...(isOn && { reason: reason.trim() || null }) })
      }
      stale={[["accounts", "list"], unsentQuery(account.id).queryKey]}
      replaces={accountQuery(account.id)}
      onClose={onClose}
    >
      {turned === "hold" && <UnsentFacts id={account.id} />}
      <p>{(isOn ? o.switches.offText[turned] : o.switches.onText[turned])(reserved)}</p>
      {isOn && <TextField label={o.switches.reason} hint={o.switches.reasonHint} value={reason} onChange={setReason} />}
    </Confirm>
  );
}
