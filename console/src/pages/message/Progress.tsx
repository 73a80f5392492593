import type { Schemas } from "../../api/client.ts";
import { href } from "../../base/router.ts";
import { useTexts } from "../../format/texts.ts";
import { isSimulated, recipientTones, toneFor } from "../../parts/Badge.tsx";

/** In the order in which a message comes to them; what has ended stands first in the bar. */
const statusesInOrder: Schemas["RecipientStatus"][] = [
  "DELIVERED",
  "UNDELIVERED",
  "EXPIRED",
  "REJECTED",
  "CANCELED",
  "UNKNOWN",
  "SUBMITTED",
  "QUEUED",
  "SCHEDULED",
];
const ended = new Set<Schemas["RecipientStatus"]>(["DELIVERED", "UNDELIVERED", "EXPIRED", "REJECTED", "CANCELED"]);

/** How many recipients have which status, as a bar that moves while the message is sent. */
export function Progress({ message }: { message: Schemas["MessageDetail"] }) {
  const { t, format } = useTexts();
  const counts = statusesInOrder.flatMap((status) => {
    const count = message.counts[status] ?? 0;
    return count > 0 ? [{ status, count }] : [];
  });
  const toneOf = (status: Schemas["RecipientStatus"]) => toneFor(recipientTones[status], isSimulated(message));
  const done = counts.reduce((sum, { status, count }) => sum + (ended.has(status) ? count : 0), 0);
  const text = t.message.ended(format.number(done), format.number(message.recipientCount));
  return (
    <section className="card stack">
      <div className="heading">
        <h2>{t.message.progress}</h2>
        <span className="faint" role="status">
          {text}
        </span>
      </div>
      <div className="bar" aria-hidden="true">
        {counts.map(({ status, count }) => (
          <span key={status} className={toneOf(status)} style={{ flexGrow: count }} />
        ))}
      </div>
      <ul className="legend">
        {counts.map(({ status, count }) => (
          <li key={status}>
            <span className={`swatch ${toneOf(status)}`} />
            {t.recipientStatuses[status]} <b>{format.number(count)}</b>
          </li>
        ))}
      </ul>
      {message.skipped ? (
        <p>
          <a href={href(`/messages/${message.uid}`, { status: "SKIPPED" })}>
            {t.message.skipped(format.number(message.skipped))}
          </a>
        </p>
      ) : null}
    </section>
  );
}
