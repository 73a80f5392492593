import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMessages } from "../../../base/messages.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { ConfirmDialog } from "../../../parts/ConfirmDialog.tsx";
import { type Account, type AccountChange, accountQuery, changeAccount, unsentQuery } from "./queries.ts";
import { UnsentFacts, useReserved } from "./Unsent.tsx";

export type Switch = "status" | "sending" | "hold";

const changes: Record<Switch, (isOn: boolean) => AccountChange> = {
  status: (isOn) => ({ status: isOn ? "ACTIVE" : "INACTIVE" }),
  sending: (isOn) => ({ sendingEnabled: isOn }),
  hold: (isOn) => ({ hold: !isOn }),
};

type Props = { account: Account; turned: Switch; isOn: boolean; onClose: () => void };

/** Says what becomes of what waits, before a switch of an account is turned. */
export function SwitchDialog({ account, turned, isOn, onClose }: Props) {
  const t = useMessages();
  const o = useOperatorMessages();
  const queryClient = useQueryClient();
  const turn = useMutation({
    mutationFn: () => changeAccount(account.id, changes[turned](!isOn)),
    onSuccess: (changed) => {
      queryClient.setQueryData(accountQuery(account.id).queryKey, changed);
      void queryClient.invalidateQueries({ queryKey: ["accounts", "list"] });
      void queryClient.invalidateQueries({ queryKey: unsentQuery(account.id).queryKey });
      onClose();
    },
  });
  const reserved = useReserved(account);
  return (
    <ConfirmDialog
      title={(isOn ? o.switches.offTitle[turned] : o.switches.onTitle[turned])(account.fullName)}
      submit={isOn ? o.switches.turnOff[turned] : o.switches.turnOn[turned]}
      keep={t.form.cancel}
      kind={isOn ? "danger" : "main"}
      isPending={turn.isPending}
      error={turn.error}
      onSubmit={() => turn.mutate()}
      onClose={onClose}
    >
      {turned === "hold" && <UnsentFacts id={account.id} />}
      <p>{(isOn ? o.switches.offText[turned] : o.switches.onText[turned])(reserved)}</p>
    </ConfirmDialog>
  );
}
