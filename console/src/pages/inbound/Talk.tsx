import { useEffect, useRef } from "react";
import type { Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { href } from "../../base/router.ts";
import { useTexts } from "../../format/texts.ts";
import { Badge, StatusBadge } from "../../parts/Badge.tsx";
import { Code } from "../../parts/Code.tsx";
import { useShownText } from "../../parts/erased.ts";
import type { Entry } from "./conversations.ts";

/** A conversation as phones show it: what has come on one side, what was sent on the other. It opens at its end, with the newest. */
export function Talk({ entries }: { entries: Entry[] }) {
  const t = useMessages();
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.lastElementChild?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <ol ref={list} className="talk" aria-label={t.inbound.one}>
      {entries.map((entry) =>
        "received" in entry ? (
          <Received key={entry.received.id} message={entry.received} />
        ) : (
          <SentOut key={entry.sent.uid} message={entry.sent} />
        ),
      )}
    </ol>
  );
}

function Received({ message }: { message: Schemas["InboundMessage"] }) {
  const { t, format } = useTexts();
  const shown = useShownText();
  return (
    <li>
      <p className="message-text" {...shown(message.text)} />
      <p className="hint">
        {t.inbound.receivedAt(format.moment(message.receivedAt))} · <Code>{format.digits(message.line)}</Code>{" "}
        {message.optOut && <Badge tone="warn">{t.inbound.optOut}</Badge>}
      </p>
    </li>
  );
}

function SentOut({ message }: { message: Schemas["Message"] }) {
  const { t, format } = useTexts();
  const shown = useShownText();
  const others = message.recipientCount - 1;
  return (
    <li className="sent">
      <p className="message-text" {...shown(message.message)} />
      <p className="hint">
        <a href={href(`/messages/${message.uid}`)}>
          {t.inbound.sentAt(format.moment(message.sendAt ?? message.createdAt))}
        </a>
        {others > 0 && ` · ${t.inbound.others(format.number(others))}`} <StatusBadge of={message} />
      </p>
    </li>
  );
}
