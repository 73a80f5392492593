// What a stop has done to a message: that it is paused, or what became of it when it was canceled.
import type { Schemas } from "../../api/client.ts";
import { useTexts } from "../../format/texts.ts";

type Props = { message: Schemas["MessageDetail"]; canceled: Schemas["CanceledMessage"] | null };

export function Stopped({ message, canceled }: Props) {
  const { t, format } = useTexts();
  return (
    <div role="status" className="told">
      {message.pausedUntil && (
        <div className="note">
          <b>{t.message.paused}</b>
          <p>{t.message.pausedText(format.moment(message.pausedUntil))}</p>
        </div>
      )}
      {message.waitsUntil && <p className="note">{t.message.waitsForHours(format.moment(message.waitsUntil))}</p>}
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
