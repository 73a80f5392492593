import type { Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { ShownSecret } from "../../parts/ShownSecret.tsx";

/** A new key, this one time. */
export function ShownKey({ issued, onDone }: { issued: Pick<Schemas["IssuedKey"], "key">; onDone: () => void }) {
  const t = useMessages();
  return (
    <ShownSecret
      title={t.keys.shown}
      text={t.keys.shownText}
      secret={issued.key}
      done={t.keys.shownDone}
      onDone={onDone}
    />
  );
}
