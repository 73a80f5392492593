import type { Schemas } from "../../../api/client.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Code } from "../../../parts/Code.tsx";
import { type Column, Table } from "../../../parts/Table.tsx";
import { CarrierBadge } from "../carriers/CarrierBadge.tsx";
import type { States } from "./RoutePicture.tsx";

/** The picture in words. */
export function RouteTable({ routes, states }: { routes: Schemas["Route"][]; states: States }) {
  const { o, format } = useOperatorTexts();
  const columns: Column<Schemas["Route"]>[] = [
    {
      title: o.routes.numbers,
      isTitle: true,
      isWide: true,
      cell: ({ prefixes }) => (prefixes.length === 0 ? o.routes.rest : prefixes.map(format.digits).join(o.comma)),
    },
    { title: o.routes.carriers, cell: ({ carriers }) => <Shares shares={carriers} states={states} /> },
    { title: o.routes.backup, cell: ({ backup }) => <Shares shares={backup} states={states} /> },
  ];
  return (
    <Table
      caption={o.routes.title}
      columns={columns}
      rows={routes}
      idOf={({ prefixes }) => prefixes.join() || "rest"}
    />
  );
}

function Shares({ shares, states }: { shares: Schemas["Route"]["carriers"]; states: States }) {
  const { o, format } = useOperatorTexts();
  if (shares.length === 0) return <>{o.routes.none}</>;
  return (
    <ul className="shares">
      {shares.map(({ name, weight }) => (
        <li key={name}>
          <Code>{name}</Code>
          <small>{o.routes.weightOf(format.number(weight))}</small>
          <CarrierBadge state={states.get(name) ?? "UNKNOWN"} />
        </li>
      ))}
    </ul>
  );
}
