import type { Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { type Column, Table } from "../../../parts/Table.tsx";
import { CarrierBadge, type State } from "../carriers/CarrierBadge.tsx";
import { CarrierLink } from "../shared/Links.tsx";
import { noTraffic, rateOf, type Traffic, trafficOf } from "./traffic.ts";

type Row = Traffic & { state: State | null };

/** How well each carrier has delivered, beside how it does now. What no carrier has taken stands at the end. */
export function CarrierRates({ sums, health }: { sums: Schemas["UsageSum"][]; health: Schemas["ServiceHealth"] }) {
  const { o, format } = useOperatorTexts();
  const rows = rowsOf(sums, health);
  const columns: Column<Row>[] = [
    { title: o.lines.carrier, isTitle: true, cell: ({ key }) => <Carrier name={key} /> },
    { title: o.carriers.state, cell: ({ state }) => (state ? <CarrierBadge state={state} /> : "–") },
    { title: o.service.carrierRate, isWide: true, cell: (row) => <Rate traffic={row} /> },
    { title: o.service.recipients, isNumber: true, cell: ({ sent }) => format.number(sent) },
  ];
  return (
    <section className="card stack">
      <h2>{o.service.byCarrier}</h2>
      <Table caption={o.service.byCarrier} columns={columns} rows={rows} idOf={({ key }) => key} />
    </section>
  );
}

function rowsOf(sums: Schemas["UsageSum"][], health: Schemas["ServiceHealth"]): Row[] {
  const states = new Map(health.carriers.map(({ name, state }) => [name, state]));
  const used = new Map(sums.map((sum) => [sum.key, trafficOf(sum)]));
  const unused = health.carriers.filter(({ name }) => !used.has(name));
  const rows = [
    ...[...used.values()].map((traffic) => ({ ...traffic, state: states.get(traffic.key) ?? null })),
    ...unused.map(({ name, state }) => ({ ...noTraffic(name), state })),
  ];
  return rows
    .filter(({ key, sent }) => key !== "" || sent > 0)
    .sort((a, b) => Number(a.key === "") - Number(b.key === "") || b.sent - a.sent);
}

function Carrier({ name }: { name: string }) {
  const o = useOperatorMessages();
  if (name === "") return <span className="faint">{o.service.noCarrier}</span>;
  return <CarrierLink name={name} />;
}

function Rate({ traffic }: { traffic: Traffic }) {
  const { o, format } = useOperatorTexts();
  const rate = rateOf(traffic);
  if (rate === null) return "–";
  return (
    <span className="rate">
      <span className="bar" aria-hidden="true">
        <span className="good" style={{ flexGrow: rate }} />
        <span className="bad" style={{ flexGrow: 1 - rate }} />
      </span>
      <span>
        {format.percent(rate)} <small>{o.service.ended(format.number(traffic.delivered + traffic.failed))}</small>
      </span>
    </span>
  );
}
