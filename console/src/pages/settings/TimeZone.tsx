import { useState } from "react";
import { useChange } from "../../api/change.ts";
import { client, dataOf } from "../../api/client.ts";
import { sessionQuery } from "../../api/session.ts";
import { useMay, useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { Code } from "../../parts/Code.tsx";
import { Form } from "../../parts/Form.tsx";
import { FormActions } from "../../parts/FormActions.tsx";
import { Select } from "../../parts/Select.tsx";

/** The time zone of the account's days. Who may not change it sees it. */
export function TimeZone() {
  const t = useMessages();
  const { account, mode } = useSession();
  const mayChange = useMay("keys") && mode === "live";
  if (!account) return null;
  return (
    <section className="card stack narrow">
      <h2>{t.settings.timeZone}</h2>
      <p className="faint">{t.settings.timeZoneText}</p>
      {mayChange ? <Choice now={account.timeZone} /> : <Code>{account.timeZone}</Code>}
    </section>
  );
}

function Choice({ now }: { now: string }) {
  const t = useMessages();
  const [timeZone, setTimeZone] = useState(now);
  const save = useChange({
    ask: () => dataOf(client.PATCH("/account/info", { body: { timeZone } })),
    stale: [sessionQuery.queryKey, ["account"]],
  });
  return (
    <Form className="stack" onSubmit={() => save.mutate()}>
      <Select
        label={t.settings.timeZone}
        choices={zonesWith(now)}
        value={timeZone}
        onChange={(zone) => {
          save.reset();
          setTimeZone(zone);
        }}
      />
      <FormActions submit={t.settings.save} change={save} done={save.isSuccess ? t.settings.saved : undefined} />
    </Form>
  );
}

/** The zones that the browser knows. It may call the one that is set by another name. */
function zonesWith(now: string) {
  const names = new Set(["UTC", now, ...Intl.supportedValuesOf("timeZone")]);
  return [...names].sort().map((id) => ({ id, text: id }));
}
