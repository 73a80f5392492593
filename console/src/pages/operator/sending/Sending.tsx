import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../../../api/client.ts";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useFormat } from "../../../format/format.ts";
import { Badge } from "../../../parts/Badge.tsx";
import { Button } from "../../../parts/Button.tsx";
import { type Fact, Facts } from "../../../parts/Facts.tsx";
import { Heading } from "../../../parts/Heading.tsx";
import { Loaded } from "../../../parts/Loaded.tsx";
import { NeedsScope } from "../../../parts/NeedsScope.tsx";
import { operatorNamesQuery, sendingQuery } from "../queries.ts";
import { SwitchDialog } from "./SwitchDialog.tsx";

/** The switch that stops the sending of all accounts at once. */
export default function Sending() {
  const o = useOperatorMessages();
  return (
    <>
      <Heading title={o.pages.sending} />
      <NeedsScope scope="admin:read">
        <Loaded query={useQuery(sendingQuery)}>{(sending) => <State sending={sending} />}</Loaded>
      </NeedsScope>
    </>
  );
}

function State({ sending }: { sending: Schemas["Sending"] }) {
  const o = useOperatorMessages();
  const maySwitch = useMay("admin:service");
  const [isAsking, setIsAsking] = useState(false);
  const { enabled } = sending;
  return (
    <section className="card stack narrow">
      <h2 className="switch-state">
        {o.sending.title} <Badge tone={enabled ? "good" : "bad"}>{enabled ? o.sending.on : o.sending.off}</Badge>
      </h2>
      <p>{enabled ? o.sending.onText : o.sending.offText}</p>
      <SwitchFacts sending={sending} />
      {maySwitch && (
        <Button kind={enabled ? "danger" : "main"} onPress={() => setIsAsking(true)}>
          {enabled ? o.sending.switchOff : o.sending.switchOn}
        </Button>
      )}
      {isAsking && <SwitchDialog enabled={enabled} onClose={() => setIsAsking(false)} />}
    </section>
  );
}

function SwitchFacts({ sending: { since, reason, changedBy } }: { sending: Schemas["Sending"] }) {
  const o = useOperatorMessages();
  const format = useFormat();
  const names = useQuery(operatorNamesQuery).data;
  const facts: Fact[] = [];
  if (since) facts.push([o.sending.since, format.moment(since)]);
  if (reason) facts.push([o.sending.reason, <bdi key="reason">{reason}</bdi>]);
  if (changedBy) facts.push([o.sending.changedBy, <bdi key="key">{names?.get(changedBy) ?? changedBy}</bdi>]);
  return facts.length > 0 ? <Facts facts={facts} /> : <p className="faint">{o.sending.never}</p>;
}
