import type { OperatorMessages } from "../../../../messages/operator/en.ts";
import type { Schemas } from "../../../api/client.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { useSpans } from "../../../format/spans.ts";
import { type Fact, Facts } from "../../../parts/Facts.tsx";
import { Tiles } from "../../../parts/Tiles.tsx";
import { CarrierBadge } from "../carriers/CarrierBadge.tsx";
import { LastError, windowOf } from "../carriers/CarrierTable.tsx";
import { bytesOf } from "../shared/bytes.ts";

/** Which parts have reports, as an operator has set it or as Peyk has learnt it. */
function partReportsOf(o: OperatorMessages, carrier: Schemas["Carrier"]): string {
  const set = carrier.kind === "smpp" ? (carrier.smpp.partReports ?? "AUTO") : "AUTO";
  if (set !== "AUTO") return o.carrier.partReportsSet(o.partReportsSet[set]);
  const { partReports } = carrier.health;
  return partReports ? o.carrier.partReportsLearnt(o.partReports[partReports]) : o.carrier.noPartReports;
}

/** How a carrier does just now. */
export function State({ carrier }: { carrier: Schemas["Carrier"] }) {
  const { o, format } = useOperatorTexts();
  const { span, since } = useSpans();
  const { health, waiting } = carrier;
  const oldest = waiting.oldestSeconds === null ? null : o.carriers.oldest(span(waiting.oldestSeconds));
  const tiles = [
    { title: o.carriers.state, value: <CarrierBadge state={health.state} />, note: o.carrierStateTexts[health.state] },
    {
      title: o.carriers.lastMinute,
      value: format.number(health.lastMinute),
      note: health.learnedPerSecond !== null && o.carrier.learned(format.number(health.learnedPerSecond)),
    },
    { title: o.carriers.window, value: windowOf(o, format, carrier), note: o.carrier.windowText },
    {
      title: o.carriers.waiting,
      value: format.number(waiting.recipients),
      note: waiting.outdated ? o.carrier.outdated : (oldest ?? o.carrier.noneWaits),
    },
  ];
  const queued =
    health.queued === 0
      ? format.number(0)
      : o.carrier.queuedOf(format.number(health.queued), span(health.oldestQueuedSeconds));
  const unknownReports =
    health.unknownReports > 0 && carrier.kind === "smpp"
      ? o.carrier.unknownReportsOf(format.number(health.unknownReports))
      : format.number(health.unknownReports);
  const facts: Fact[] = [
    [o.carriers.lastSuccess, health.lastSuccessAt ? since(health.lastSuccessAt) : "–"],
    [o.carriers.lastError, <LastError key="error" carrier={carrier} />],
    [o.carrier.queued, queued],
    [o.carrier.encrypted, health.encrypted ? o.yesNo.yes : o.yesNo.no],
    [o.carrier.unknownReports, unknownReports],
    [o.carrier.partReports, partReportsOf(o, carrier)],
    [o.carrier.lateFailures, format.number(health.lateFailures)],
    [o.carrier.storage, bytesOf(format, health.storageBytes)],
  ];
  return (
    <>
      <Tiles tiles={tiles} />
      <section className="card">
        <h2 className="visually-hidden">{o.carrier.live}</h2>
        <Facts facts={facts} />
      </section>
    </>
  );
}
