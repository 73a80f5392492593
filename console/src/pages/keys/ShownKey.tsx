import { useMessages } from "../../base/messages.ts";
import { ShownSecret } from "../../parts/ShownSecret.tsx";

/** A new key, this one time. */
export function ShownKey({ of, onDone }: { of: string; onDone: () => void }) {
  const t = useMessages();
  return (
    <ShownSecret
      key={of}
      title={t.keys.shown}
      text={t.keys.shownText}
      secret={of}
      done={t.keys.shownDone}
      onDone={onDone}
    />
  );
}
