import { useState } from "react";
import { answer, client, type Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { Confirm } from "../../../parts/ConfirmDialog.tsx";
import { DialogButton } from "../../../parts/DialogButton.tsx";
import { TextField } from "../../../parts/TextField.tsx";
import { accountQuery } from "../queries.ts";

/** Ends an account for good. */
export function CloseAccount({ account }: { account: Schemas["Account"] }) {
  const o = useOperatorMessages();
  return (
    <section className="card stack narrow">
      <h2>{o.closing.title}</h2>
      <p className="faint">{o.closing.meaning}</p>
      <div className="actions">
        <DialogButton
          kind="danger"
          text={o.closing.open}
          dialog={(close) => <CloseDialog account={account} onClose={close} />}
        />
      </div>
    </section>
  );
}

/** The operator types the name of the account, so that nobody closes another one by mistake. */
function CloseDialog({ account, onClose }: { account: Schemas["Account"]; onClose: () => void }) {
  const o = useOperatorMessages();
  const [typed, setTyped] = useState("");
  const isRight = typed.trim() === account.fullName.trim();
  return (
    <Confirm
      title={o.closing.ask(account.fullName)}
      submit={o.closing.submit}
      kind="danger"
      isForm
      isWhole={isRight}
      ask={() => answer(client.DELETE("/admin/accounts/{id}", { params: { path: { id: account.id } } }))}
      stale={[accountQuery(account.id).queryKey, ["accounts", "list"]]}
      onClose={onClose}
    >
      {(isTried) => (
        <>
          <p>{o.closing.text}</p>
          <TextField
            label={o.closing.name(account.fullName)}
            error={isTried && !isRight ? o.closing.wrongName : undefined}
            value={typed}
            onChange={setTyped}
            autoFocus
          />
        </>
      )}
    </Confirm>
  );
}
