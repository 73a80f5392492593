import type { Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Badge, type Tone } from "../../../parts/Badge.tsx";
import { bytesOf } from "../shared/bytes.ts";

type Part = Schemas["ServiceHealth"]["kv"];
const tones: Record<Part["state"], Tone> = { UP: "good", DOWN: "bad", HANGS: "bad" };
/** From this part of a limit on, the service warns. */
const full = 0.7;

/** What the service stands on: how full it is, and how fast each part answers. */
export function Sizes({ health }: { health: Schemas["ServiceHealth"] }) {
  const o = useOperatorMessages();
  const { storage, kv, d1, object } = health;
  return (
    <div className="sizes">
      <section className="card stack">
        <h2>{o.service.sizes}</h2>
        {storage ? (
          <>
            <Size title={o.service.database} used={storage.bytes} limit={storage.maxBytes} />
            <Size title={o.service.customers} used={storage.customerBytes} limit={storage.maxCustomerBytes} />
          </>
        ) : (
          <p className="faint">{o.service.notTold}</p>
        )}
      </section>
      <section className="card stack">
        <h2>{o.service.parts}</h2>
        <PartRow title={o.service.database} part={d1} />
        <PartRow title={o.service.keyValue} part={kv} />
        <PartRow title={o.service.object} part={object} />
      </section>
    </div>
  );
}

function Size({ title, used, limit }: { title: string; used: number; limit: number }) {
  const { o, format } = useOperatorTexts();
  const share = limit > 0 ? used / limit : 0;
  return (
    <div className="size">
      <p>
        <b>{title}</b> {o.service.sizeOf(bytesOf(format, used), bytesOf(format, limit), format.percent(share))}
      </p>
      <div className="bar" aria-hidden="true">
        <span className={share < full ? "accent" : "bad"} style={{ flexGrow: share }} />
        <span className="free" style={{ flexGrow: Math.max(0, 1 - share) }} />
      </div>
    </div>
  );
}

function PartRow({ title, part }: { title: string; part: Part }) {
  const { o, format } = useOperatorTexts();
  return (
    <p className="part-row">
      <b>{title}</b>
      <span className="faint">{o.service.latency(format.number(part.latencyMs))}</span>
      <Badge tone={tones[part.state]}>{o.carrierStates[part.state]}</Badge>
      {part.cause && (
        <bdi dir="ltr" lang="en" className="bad">
          {part.cause}
        </bdi>
      )}
    </p>
  );
}
