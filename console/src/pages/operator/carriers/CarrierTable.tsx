import type { OperatorMessages } from "../../../../messages/operator/en.ts";
import type { Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import type { Format } from "../../../format/format.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { useSpans } from "../../../format/spans.ts";
import { type Column, Table } from "../../../parts/Table.tsx";
import { CarrierLink, Waiting } from "../shared/Links.tsx";
import { CarrierBadge } from "./CarrierBadge.tsx";

type Carrier = Schemas["Carrier"];

export function CarrierTable({ carriers }: { carriers: Carrier[] }) {
  const { o, format } = useOperatorTexts();
  const { since } = useSpans();
  const columns: Column<Carrier>[] = [
    { title: o.carriers.name, isTitle: true, cell: (carrier) => <Name carrier={carrier} /> },
    { title: o.carriers.state, cell: ({ health }) => <CarrierBadge state={health.state} /> },
    { title: o.carriers.window, isNumber: true, cell: (carrier) => windowOf(o, format, carrier) },
    { title: o.carriers.lastMinute, isNumber: true, cell: ({ health }) => format.number(health.lastMinute) },
    {
      title: o.carriers.waiting,
      isNumber: true,
      cell: ({ waiting }) => <Waiting of={waiting} />,
    },
    {
      title: o.carriers.lastSuccess,
      cell: ({ health }) => (health.lastSuccessAt ? since(health.lastSuccessAt) : "–"),
    },
    { title: o.carriers.lastError, isWide: true, cell: (carrier) => <LastError carrier={carrier} /> },
  ];
  return <Table caption={o.pages.carriers} columns={columns} rows={carriers} idOf={({ name }) => name} />;
}

function Name({ carrier: { name, kind } }: { carrier: Carrier }) {
  const o = useOperatorMessages();
  return (
    <span className="two-lines">
      <CarrierLink name={name} />
      <small>{o.carrierKinds[kind]}</small>
    </span>
  );
}

/** How much of the room for what waits for an answer is used. */
export function windowOf(o: OperatorMessages, format: Format, carrier: Carrier): string {
  const room = roomOf(carrier);
  const used = format.number(carrier.health.inWindow);
  return room === null ? used : o.carriers.windowOf(used, format.number(room));
}

/** The service writes errors of carriers in English. */
export function LastError({ carrier: { health } }: { carrier: Carrier }) {
  const { since } = useSpans();
  if (!health.lastError) return "–";
  return (
    <span className="two-lines last-error">
      <bdi dir="ltr" lang="en">
        {health.lastError}
      </bdi>
      {health.lastErrorAt && <small>{since(health.lastErrorAt)}</small>}
    </span>
  );
}

const usual = { smpp: { binds: 1, window: 50 }, http: { objects: 1, window: 6 } };

/** How much may wait for answers at once in all sessions, or in all objects of a gateway. The sandbox has no such room. */
function roomOf(carrier: Schemas["Carrier"]): number | null {
  if (carrier.kind === "smpp")
    return (carrier.smpp.binds ?? usual.smpp.binds) * (carrier.smpp.window ?? usual.smpp.window);
  if (carrier.kind === "http")
    return (carrier.http.objects ?? usual.http.objects) * (carrier.http.window ?? usual.http.window);
  return null;
}
