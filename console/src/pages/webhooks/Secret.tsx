import type { Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { ShownSecret } from "../../parts/ShownSecret.tsx";

export function Secret({ of, onDone }: { of: Schemas["EndpointWithSecret"]; onDone: () => void }) {
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
