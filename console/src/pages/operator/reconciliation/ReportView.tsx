import type { Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useFormat } from "../../../format/format.ts";
import { Badge } from "../../../parts/Badge.tsx";

/** What a check has found: that all agrees, or each thing that does not. */
export function ReportView({ report, error }: { report: Schemas["Report"] | null; error: string | null }) {
  const o = useOperatorMessages();
  const format = useFormat();
  if (error) return <span className="bad">{error}</span>;
  if (!report) return <span className="faint">{o.reconciliation.never}</span>;
  const { differences, unchecked, checkedAt } = report;
  return (
    <div className="report">
      <p>
        {differences.length === 0 ? (
          <Badge tone="good">{o.reconciliation.agrees}</Badge>
        ) : (
          <Badge tone="bad">{o.reconciliation.differs(format.number(differences.length))}</Badge>
        )}{" "}
        <span className="faint">{format.moment(checkedAt)}</span>
      </p>
      <ul>
        {differences.map(({ check, detail }) => (
          <li key={`${check} ${detail}`}>
            <b>{o.reconciliation.checks[check]}</b> <span dir="auto">{detail}</span>
          </li>
        ))}
        {unchecked.map((check) => (
          <li key={check} className="faint">
            {o.reconciliation.unchecked(o.reconciliation.checks[check])}
          </li>
        ))}
      </ul>
    </div>
  );
}
