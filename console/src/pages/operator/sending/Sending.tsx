import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, dataOf, type Schemas } from "../../../api/client.ts";
import { read } from "../../../api/queries.ts";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Badge } from "../../../parts/Badge.tsx";
import { Confirm } from "../../../parts/ConfirmDialog.tsx";
import { DialogButton } from "../../../parts/DialogButton.tsx";
import { type Fact, Facts } from "../../../parts/Facts.tsx";
import { Loaded } from "../../../parts/Loaded.tsx";
import { Page } from "../../../parts/Page.tsx";
import { TextField } from "../../../parts/TextField.tsx";
import { operatorNamesQuery, sendingQuery } from "../queries.ts";

/** The switch that stops the sending of all accounts at once. */
export default function Sending() {
  const o = useOperatorMessages();
  return (
    <Page title={o.pages.sending} scope="admin:read">
      <Loaded query={useQuery(sendingQuery)}>{(sending) => <State sending={sending} />}</Loaded>
    </Page>
  );
}

function State({ sending }: { sending: Schemas["Sending"] }) {
  const o = useOperatorMessages();
  const maySwitch = useMay("admin:service");
  const { enabled } = sending;
  return (
    <section className="card stack narrow">
      <h2 className="switch-state">
        {o.sending.title} <Badge tone={enabled ? "good" : "bad"}>{enabled ? o.sending.on : o.sending.off}</Badge>
      </h2>
      <p>{enabled ? o.sending.onText : o.sending.offText}</p>
      <SwitchFacts sending={sending} />
      {maySwitch && (
        <DialogButton
          kind={enabled ? "danger" : "main"}
          text={enabled ? o.sending.switchOff : o.sending.switchOn}
          dialog={(close) => <SwitchDialog enabled={enabled} onClose={close} />}
        />
      )}
    </section>
  );
}

function SwitchFacts({ sending: { since, reason, changedBy } }: { sending: Schemas["Sending"] }) {
  const { o, format } = useOperatorTexts();
  const names = useQuery(operatorNamesQuery).data;
  const facts: Fact[] = [];
  if (since) facts.push([o.sending.since, format.moment(since)]);
  if (reason) facts.push([o.sending.reason, <bdi key="reason">{reason}</bdi>]);
  if (changedBy) facts.push([o.sending.changedBy, <bdi key="key">{names?.get(changedBy) ?? changedBy}</bdi>]);
  return facts.length > 0 ? <Facts facts={facts} /> : <p className="faint">{o.sending.never}</p>;
}

/** How many recipients and how many accounts have sent to today, in UTC. */
const todayQuery = queryOptions({
  queryKey: ["usage", "today"],
  queryFn: async ({ signal }) => {
    const today = new Date().toISOString().slice(0, 10);
    const { data } = await read(
      "/admin/usage",
      { query: { by: "account", from: today, to: today, limit: 200 } },
      signal,
    );
    return { recipients: data.reduce((sum, { recipients }) => sum + recipients, 0), accounts: data.length };
  },
});

/** Says what the switch does to everybody, and how much was sent today, before it is done. */
function SwitchDialog({ enabled, onClose }: { enabled: boolean; onClose: () => void }) {
  const { o, format } = useOperatorTexts();
  const [reason, setReason] = useState("");
  const today = useQuery(todayQuery);
  const body = { enabled: !enabled, ...(reason.trim() && { reason: reason.trim() }) };
  return (
    <Confirm
      title={enabled ? o.sending.offTitle : o.sending.onTitle}
      submit={enabled ? o.sending.switchOff : o.sending.switchOn}
      kind={enabled ? "danger" : "main"}
      ask={() => dataOf(client.PUT("/admin/sending", { body }))}
      replaces={sendingQuery}
      onClose={onClose}
    >
      <p>{enabled ? o.sending.offEffect : o.sending.onEffect}</p>
      {enabled && today.data && (
        <p>{o.sending.today(format.number(today.data.recipients), format.number(today.data.accounts))}</p>
      )}
      <TextField autoComplete="on" label={o.sending.why} hint={o.sending.whyHint} value={reason} onChange={setReason} />
    </Confirm>
  );
}
