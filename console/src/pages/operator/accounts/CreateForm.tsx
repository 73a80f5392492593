import { useState } from "react";
import { useChange } from "../../../api/change.ts";
import { client, dataOf } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { goTo } from "../../../base/router.ts";
import { Form } from "../../../parts/Form.tsx";
import { FormActions } from "../../../parts/FormActions.tsx";
import { faultAt } from "../../../parts/faults.ts";
import { TextField } from "../../../parts/TextField.tsx";
import { PlanSelect } from "../plans/PlanSelect.tsx";

export function CreateForm({ onClose }: { onClose: () => void }) {
  const o = useOperatorMessages();
  const [username, setUsername] = useState("");
  const [fullName, setFullName] = useState("");
  const [plan, setPlan] = useState("default");
  const [isTried, setIsTried] = useState(false);
  const isMissing = (text: string) => isTried && text.trim() === "";
  const create = useChange(
    () =>
      dataOf(client.POST("/admin/accounts", { body: { username: username.trim(), fullName: fullName.trim(), plan } })),
    {
      stale: [["accounts"]],
      onDone: ({ id }) => goTo(`/accounts/${id}`),
    },
  );
  const submit = () => {
    setIsTried(true);
    if (username.trim() && fullName.trim()) create.mutate();
  };
  return (
    <Form className="card stack narrow" onSubmit={submit}>
      <h2>{o.accounts.create}</h2>
      <TextField
        label={o.accounts.fullName}
        error={isMissing(fullName) ? o.form.missing : faultAt(create.error, "/fullName")}
        value={fullName}
        onChange={setFullName}
        autoComplete="off"
        autoFocus
      />
      <TextField
        label={o.accounts.username}
        hint={o.accounts.usernameHint}
        error={isMissing(username) ? o.form.missing : faultAt(create.error, "/username")}
        isCode
        value={username}
        onChange={setUsername}
        autoComplete="off"
      />
      <PlanSelect value={plan} onChange={setPlan} />
      <FormActions submit={o.accounts.createSubmit} change={create} onCancel={onClose} />
    </Form>
  );
}
