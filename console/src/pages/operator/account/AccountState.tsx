import { useState } from "react";
import type { Schemas } from "../../../api/client.ts";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { Badge } from "../../../parts/Badge.tsx";
import { Button } from "../../../parts/Button.tsx";
import { CancelAllDialog } from "./CancelAllDialog.tsx";
import { type Switch, SwitchDialog } from "./SwitchDialog.tsx";

type Account = Schemas["Account"];

/** What stands in the way of an account's messages. */
export function StateBadges({ account }: { account: Account }) {
  const o = useOperatorMessages();
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
export function AccountState({ account }: { account: Account }) {
  const o = useOperatorMessages();
  const mayChange = useMay("admin:accounts");
  const [turned, setTurned] = useState<Switch | null>(null);
  const [isCanceling, setIsCanceling] = useState(false);
  const isOn: Record<Switch, boolean> = {
    status: account.status === "ACTIVE",
    sending: account.sendingEnabled,
    hold: !account.hold,
  };
  return (
    <section className="card switches">
      <h2>{o.switches.title}</h2>
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
            <Button kind="danger" onPress={() => setIsCanceling(true)}>
              {o.cancelAll.open}
            </Button>
          </li>
        )}
      </ul>
      {turned && <SwitchDialog account={account} turned={turned} isOn={isOn[turned]} onClose={() => setTurned(null)} />}
      {isCanceling && <CancelAllDialog account={account} onClose={() => setIsCanceling(false)} />}
    </section>
  );
}
