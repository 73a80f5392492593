import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "../../api/change.ts";
import { client, dataOf, type Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { Form } from "../../parts/Form.tsx";
import { FormActions } from "../../parts/FormActions.tsx";
import { Loaded } from "../../parts/Loaded.tsx";
import { RadioChoice } from "../../parts/RadioChoice.tsx";
import { signInRuleQuery } from "../queries.ts";

/** By what the members of the account sign in. */
export function SignInRule() {
  return <Loaded query={useQuery(signInRuleQuery)}>{({ require }) => <RuleForm of={require} />}</Loaded>;
}

function RuleForm({ of }: { of: Schemas["SignInRule"]["require"] }) {
  const t = useMessages();
  const [required, choose] = useState(of);
  const save = useChange({
    ask: () => dataOf(client.PUT("/members/sign-in", { body: { require: required } })),
    replaces: signInRuleQuery,
  });
  const change = (id: typeof of) => {
    save.reset();
    choose(id);
  };
  const choices = (["CODE", "PASSKEY"] as const).map((id) => ({ id, text: t.required[id].name }));
  return (
    <Form className="card stack narrow" onSubmit={() => save.mutate()}>
      <h2>{t.members.rule}</h2>
      <RadioChoice label={t.members.ruleLabel} value={required} choices={choices} onChange={change} />
      <p className="hint" role="status">
        {t.required[required].means}
      </p>
      <FormActions submit={t.members.ruleSubmit} change={save} done={save.isSuccess ? t.members.ruleDone : undefined} />
    </Form>
  );
}
