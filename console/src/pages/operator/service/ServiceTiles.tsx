import type { Schemas } from "../../../api/client.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { useSpans } from "../../../format/spans.ts";
import { Badge, type Tone } from "../../../parts/Badge.tsx";
import { Tiles } from "../../../parts/Tiles.tsx";
import { rateOf, type Traffic, together } from "./traffic.ts";

type Health = Schemas["ServiceHealth"];

const tones: Record<Health["status"], Tone> = { UP: "good", DEGRADED: "warn", DOWN: "bad" };

export function ServiceTiles({ health, days }: { health: Health; days: Traffic[] }) {
  const { o, format } = useOperatorTexts();
  const { span } = useSpans();
  const month = together(days);
  const rate = rateOf(month);
  const { waiting } = health;
  const tiles = [
    {
      title: o.service.status,
      value: <Badge tone={tones[health.status]}>{o.serviceStatuses[health.status]}</Badge>,
      note: o.service.version(`\u2066${health.version}\u2069`),
    },
    {
      title: o.service.today,
      value: format.number(days.at(-1)?.sent ?? 0),
      note: o.service.inMonth(format.number(month.sent)),
    },
    {
      title: o.service.rate,
      value: rate === null ? "–" : format.percent(rate),
      note: o.service.rateOf(format.number(month.delivered + month.failed)),
    },
    {
      title: o.service.waiting,
      value: waiting ? format.number(waiting.recipients) : "–",
      note:
        waiting && waiting.oldestSeconds !== null
          ? o.carriers.oldest(span(waiting.oldestSeconds))
          : o.carrier.noneWaits,
    },
  ];
  return <Tiles tiles={tiles} />;
}
