import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "../../../api/change.ts";
import { client, dataOf, type Schemas } from "../../../api/client.ts";
import { dataQuery } from "../../../api/queries.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Form } from "../../../parts/Form.tsx";
import { FormActions } from "../../../parts/FormActions.tsx";
import { faultAt } from "../../../parts/faults.ts";
import { Loaded } from "../../../parts/Loaded.tsx";
import { TextField } from "../../../parts/TextField.tsx";
import { wholeOrTyped } from "../../../parts/whole.ts";

const lowBalanceQuery = (id: string) =>
  dataQuery(["accounts", "low-balance"], "/admin/accounts/{id}/low-balance", { path: { id } });

/** The balance below which the customer is warned. */
export function LowBalanceForm({ account }: { account: Schemas["Account"] }) {
  return (
    <Loaded query={useQuery(lowBalanceQuery(account.id))}>
      {({ lowBalance }) => <Threshold account={account} value={lowBalance} />}
    </Loaded>
  );
}

function Threshold({ account: { id, wallet }, value }: { account: Schemas["Account"]; value: number | null }) {
  const { o, format } = useOperatorTexts();
  const [typed, setTyped] = useState(value === null ? "" : String(value));
  const save = useChange({
    ask: () =>
      dataOf(
        client.PUT("/admin/accounts/{id}/low-balance", {
          params: { path: { id } },
          body: { lowBalance: typed.trim() === "" ? null : wholeOrTyped(typed) },
        }),
      ),
    replaces: lowBalanceQuery(id),
  });
  return (
    <Form className="card stack narrow" onSubmit={() => save.mutate()}>
      <h2>{o.lowBalance.title}</h2>
      <TextField
        label={o.lowBalance.threshold}
        hint={o.lowBalance.hint(format.unit(wallet.unit))}
        error={faultAt(save.error, "/lowBalance")}
        isCode
        inputMode="numeric"
        value={typed}
        onChange={(text) => {
          save.reset();
          setTyped(text);
        }}
      />
      <FormActions submit={o.form.save} change={save} done={save.isSuccess ? o.form.saved : undefined} />
    </Form>
  );
}
