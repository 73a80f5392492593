import { useState } from "react";
import { answer, client, type Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { href } from "../../../base/router.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Confirm } from "../../../parts/ConfirmDialog.tsx";
import { DialogButton } from "../../../parts/DialogButton.tsx";
import { ProblemText } from "../../../parts/Failure.tsx";
import { TextField } from "../../../parts/TextField.tsx";
import { accountQuery } from "../queries.ts";
import { leftIn } from "./left.ts";

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
      refusal={(error) => <Refusal account={account} error={error} />}
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

/** What is left of an account that can't be closed yet, and where that ends. */
function Refusal({ account: { id }, error }: { account: Schemas["Account"]; error: Error }) {
  const { t, o, format } = useOperatorTexts();
  const left = leftIn(error);
  if (!left) return <ProblemText error={error} />;
  const { available, locked, unit, recipients } = left;
  const overview = href(`/accounts/${id}`);
  return (
    <div role="alert">
      <p className="bad">{o.closing.notYet}</p>
      <ul>
        {available > 0 && (
          <li>
            {o.closing.hasMoney(format.money(available, unit))} <a href={overview}>{o.credit.open}</a>
          </li>
        )}
        {recipients + locked > 0 && (
          <li>
            {o.closing.isOpen(format.number(recipients), format.money(locked, unit))}{" "}
            <a href={overview}>{o.cancelAll.open}</a> ·{" "}
            <a href={href(`/accounts/${id}/messages`)}>{t.messages.title}</a>
          </li>
        )}
      </ul>
    </div>
  );
}
