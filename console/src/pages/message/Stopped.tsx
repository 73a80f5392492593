// What a stop has done to a message: that it is paused, or what became of it when it was canceled.
import type { Schemas } from "../../api/client.ts";
import { useTexts } from "../../format/texts.ts";

type Props = { message: Schemas["MessageDetail"]; canceled: Schemas["CanceledMessage"] | null };

export function Stopped({ message, canceled }: Props) {
  const { t, format } = useTexts();
  return (
    <div role="status" className="told">
      {message.paused && (
        <div className="note">
          <b>{t.message.paused}</b>
          <p>{t.message.pausedText(format.moment(endOf(message)))}</p>
        </div>
      )}
      {canceled && (
        <div className="note">
          <b>{t.message.canceled(format.number(canceled.canceled))}</b>
          {canceled.withCarriers > 0 && <p>{t.message.canceledCarriers(format.number(canceled.withCarriers))}</p>}
          {canceled.left > 0 && <p>{t.message.canceledLeft(format.number(canceled.left))}</p>}
        </div>
      )}
    </div>
  );
}

const hour = 3_600_000;
/** How long a message may wait for a carrier, ms. A pause does not make it longer. */
const patience: Partial<Record<Schemas["MessageType"], number>> = {
  PATTERN: hour / 2,
  PHONEBOOK: 24 * hour,
  BULK: 24 * hour,
};

/** When what has not left of a message is canceled. */
const endOf = ({ type, sendAt, createdAt }: Schemas["MessageDetail"]) =>
  new Date(Date.parse(sendAt ?? createdAt) + (patience[type] ?? 4 * hour)).toISOString();
