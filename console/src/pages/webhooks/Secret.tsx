import { useMessages } from "../../base/messages.ts";
import { ShownSecret } from "../../parts/ShownSecret.tsx";
import type { EndpointWithSecret } from "./queries.ts";

export function Secret({ of, onDone }: { of: EndpointWithSecret; onDone: () => void }) {
  const t = useMessages();
  return (
    <ShownSecret
      title={t.webhooks.shown}
      text={t.webhooks.shownText}
      secret={of.secret}
      done={t.webhooks.shownDone}
      onDone={onDone}
    />
  );
}
