import type { Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { Confirm } from "../../../parts/ConfirmDialog.tsx";
import { accountQuery, changeAccount, unsentQuery } from "../queries.ts";
import { UnsentFacts, useReserved } from "./Unsent.tsx";

export type Switch = "status" | "sending" | "hold";

const changes: Record<Switch, (isOn: boolean) => Schemas["AccountChange"]> = {
  status: (isOn) => ({ status: isOn ? "ACTIVE" : "INACTIVE" }),
  sending: (isOn) => ({ sendingEnabled: isOn }),
  hold: (isOn) => ({ hold: !isOn }),
};

type Props = { account: Schemas["Account"]; turned: Switch; isOn: boolean; onClose: () => void };

/** Says what becomes of what waits, before a switch of an account is turned. */
export function SwitchDialog({ account, turned, isOn, onClose }: Props) {
  const o = useOperatorMessages();
  const reserved = useReserved(account);
  return (
    <Confirm
      title={(isOn ? o.switches.offTitle[turned] : o.switches.onTitle[turned])(account.fullName)}
      submit={isOn ? o.switches.turnOff[turned] : o.switches.turnOn[turned]}
      kind={isOn ? "danger" : "main"}
      ask={() => changeAccount(account.id, changes[turned](!isOn))}
      stale={[["accounts", "list"], unsentQuery(account.id).queryKey]}
      replaces={accountQuery(account.id)}
      onClose={onClose}
    >
      {turned === "hold" && <UnsentFacts id={account.id} />}
      <p>{(isOn ? o.switches.offText[turned] : o.switches.onText[turned])(reserved)}</p>
    </Confirm>
  );
}
