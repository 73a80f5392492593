import { useMemo, useState } from "react";
import { useChange } from "../../api/change.ts";
import { client, dataOf } from "../../api/client.ts";
import { sessionQuery } from "../../api/session.ts";
import { useMay, useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { useSettings } from "../../base/settings.ts";
import { Form } from "../../parts/Form.tsx";
import { FormActions } from "../../parts/FormActions.tsx";
import { Select } from "../../parts/Select.tsx";
import { zoneName, zonesIn } from "./zones.ts";

/** The time zone of the account's days. Who may not change it sees it. */
export function TimeZone() {
  const t = useMessages();
  const { language } = useSettings();
  const { account, mode } = useSession();
  const mayChange = useMay("keys") && mode === "live";
  if (!account) return null;
  return (
    <section className="card stack narrow">
      <h2>{t.settings.timeZone}</h2>
      <p className="faint">{t.settings.timeZoneText}</p>
      {mayChange ? <Choice now={account.timeZone} /> : <p>{zoneName(language, account.timeZone)}</p>}
    </section>
  );
}

function Choice({ now }: { now: string }) {
  const t = useMessages();
  const { language } = useSettings();
  const zones = useMemo(() => zonesIn(language, now), [language, now]);
  const [timeZone, setTimeZone] = useState(now);
  const save = useChange({
    ask: () => dataOf(client.PATCH("/account/info", { body: { timeZone } })),
    stale: [sessionQuery.queryKey, ["account"]],
  });
  return (
    <Form className="stack" onSubmit={() => save.mutate()}>
      <Select
        label={t.settings.timeZone}
        choices={zones}
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
