import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../api/client.ts";
import { dataQuery } from "../../api/queries.ts";
import { useTexts } from "../../format/texts.ts";
import { Loaded } from "../../parts/Loaded.tsx";
import { type Column, Table } from "../../parts/Table.tsx";

type Operator = Schemas["Outcomes"]["operators"][number];
type Reason = Schemas["Outcomes"]["reasons"][number];

/** How the messages of the week have ended by operator, and why some have not arrived. */
export function Outcomes() {
  const { t, format } = useTexts();
  return (
    <Loaded query={useQuery(dataQuery(["account", "outcomes"], "/account/outcomes"))}>
      {({ recipients, hasMore, operators, reasons }) =>
        recipients === 0 ? null : (
          <section className="card stack outcomes">
            <h2>{t.overview.week}</h2>
            <div className="pair">
              <section>
                <h3>{t.overview.byOperator}</h3>
                <Operators rows={operators} />
              </section>
              <section>
                <h3>{t.overview.byReason}</h3>
                <Reasons rows={reasons} />
              </section>
            </div>
            {hasMore && <p className="hint">{t.overview.newestOnly(format.number(recipients))}</p>}
          </section>
        )
      }
    </Loaded>
  );
}

function Operators({ rows }: { rows: Operator[] }) {
  const { t, format } = useTexts();
  const names: Record<string, string> = t.operators;
  const rate = ({ delivered, failed }: Operator) =>
    delivered + failed === 0 ? "–" : format.percent(delivered / (delivered + failed));
  const columns: Column<Operator>[] = [
    { title: t.overview.operator, isTitle: true, isWide: true, cell: ({ operator }) => names[operator] ?? operator },
    { title: t.overview.delivered, isNumber: true, cell: ({ delivered }) => format.number(delivered) },
    { title: t.overview.failed, isNumber: true, cell: ({ failed }) => format.number(failed) },
    { title: t.overview.rateShort, isNumber: true, cell: rate },
  ];
  return (
    <Table isSmall caption={t.overview.byOperator} columns={columns} rows={rows} idOf={({ operator }) => operator} />
  );
}

function Reasons({ rows }: { rows: Reason[] }) {
  const { t, format } = useTexts();
  const names: Record<string, string> = t.reasons;
  const columns: Column<Reason>[] = [
    { title: t.overview.whyFailed, isTitle: true, isWide: true, cell: ({ reason }) => names[reason] ?? reason },
    { title: t.messages.people, isNumber: true, cell: ({ recipients }) => format.number(recipients) },
  ];
  if (rows.length === 0) return <p>{t.overview.noneFailed}</p>;
  return <Table isSmall caption={t.overview.byReason} columns={columns} rows={rows} idOf={({ reason }) => reason} />;
}
