import { useEffect, useRef } from "react";
import { useMessages } from "../../base/messages.ts";
import { Button } from "../../parts/Button.tsx";
import { CopyButton } from "../../parts/CopyButton.tsx";
import type { IssuedKey } from "./queries.ts";

/** A new key, this one time. It stays until the person says that it is kept. */
export function ShownKey({ issued, onDone }: { issued: Pick<IssuedKey, "key">; onDone: () => void }) {
  const t = useMessages();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="card stack shown-key">
      <h2 ref={heading} tabIndex={-1}>
        {t.keys.shown}
      </h2>
      <p>{t.keys.shownText}</p>
      <code dir="ltr">{issued.key}</code>
      <div className="actions">
        <CopyButton text={issued.key} />
        <Button onPress={onDone}>{t.keys.shownDone}</Button>
      </div>
    </section>
  );
}
