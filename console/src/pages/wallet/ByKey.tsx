import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../../api/client.ts";
import { useSession } from "../../api/session-context.ts";
import type { Messages } from "../../base/messages.ts";
import { useTexts } from "../../format/texts.ts";
import { Empty } from "../../parts/Empty.tsx";
import { Loaded } from "../../parts/Loaded.tsx";
import { type Column, Table } from "../../parts/Table.tsx";
import { usageQuery } from "../overview/queries.ts";
import { lastDays } from "../overview/usage.ts";
import { type Sender, sendersOf } from "./senders.ts";

/** What each key has sent in thirty days, and what that came to. */
export function ByKey() {
  const { t } = useTexts();
  const [dates] = useState(() => lastDays(Date.now()));
  return (
    <Loaded query={useQuery(usageQuery(dates))}>
      {(days) => (
        <section>
          <div className="heading">
            <h2>{t.wallet.byKey}</h2>
          </div>
          <Senders days={days} />
        </section>
      )}
    </Loaded>
  );
}

const nameOf = (t: Messages, { by, title }: Sender) => title ?? (by === "CONSOLE" ? t.wallet.console : t.wallet.noKey);

function Senders({ days }: { days: Schemas["UsageDay"][] }) {
  const { t, format } = useTexts();
  const { mode } = useSession();
  const senders = sendersOf(days, mode);
  const unit = days[0]?.unit ?? "";
  const hint = t.wallet.byKeyText(format.clock(new Date().toISOString().replace(/T.*/, "T00:00:00Z")));
  if (senders.length === 0) return <Empty title={t.overview.noUsage} text={hint} />;
  const number = (title: string, of: (sender: Sender) => number): Column<Sender> => ({
    title,
    cell: (sender) => format.number(of(sender)),
    isNumber: true,
  });
  const columns: Column<Sender>[] = [
    { title: t.wallet.key, isTitle: true, cell: (sender) => nameOf(t, sender) },
    number(t.wallet.messages, ({ messages }) => messages),
    number(t.wallet.parts, ({ parts }) => parts),
    { title: t.messages.cost, isNumber: true, cell: ({ spent }) => format.money(spent, unit) },
  ];
  return (
    <section className="card stack">
      <Table caption={t.wallet.byKey} columns={columns} rows={senders} idOf={({ id }) => id} />
      <p className="hint">{hint}</p>
    </section>
  );
}
