import { useMessages } from "../../base/messages.ts";
import { ShownSecret } from "../../parts/ShownSecret.tsx";
import type { IssuedKey } from "./queries.ts";

/** A new key, this one time. */
export function ShownKey({ issued, onDone }: { issued: Pick<IssuedKey, "key">; onDone: () => void }) {
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
