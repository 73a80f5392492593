import { useMessages } from "../../base/messages.ts";

/** Why a text takes more parts than one of Latin letters. */
export function EncodingNote({ encoding }: { encoding: string }) {
  const t = useMessages();
  if (encoding !== "UCS2") return null;
  return (
    <details>
      <summary>{t.compose.ucs2}</summary>
      <p className="hint">{t.compose.ucs2Text}</p>
    </details>
  );
}
