import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useFormat } from "../../../format/format.ts";
import { ConfirmDialog } from "../../../parts/ConfirmDialog.tsx";
import { linesOfCarrierQuery, useCarrierChange } from "../queries.ts";

const changes = {
  pause: { paused: true },
  resume: { paused: false },
  deactivate: { active: false },
  activate: { active: true },
};

export type Switch = keyof typeof changes;

/** Stops a carrier, or lets it go on: what waits, and which lines feel it, is said before. */
export function SwitchDialog({
  carrier,
  to,
  onClose,
}: {
  carrier: Schemas["Carrier"];
  to: Switch;
  onClose: () => void;
}) {
  const o = useOperatorMessages();
  const format = useFormat();
  const lines = useQuery(linesOfCarrierQuery(carrier.name));
  const change = useCarrierChange(carrier.name, onClose);
  const waits = carrier.waiting.recipients + carrier.health.queued + carrier.health.inWindow;
  return (
    <ConfirmDialog
      title={o.carrierSwitchTitles[to](`\u2068${carrier.name}\u2069`)}
      submit={o.carrierSwitches[to]}
      kind={to === "pause" || to === "deactivate" ? "danger" : "main"}
      change={change}
      onSubmit={() => change.mutate(changes[to])}
      onClose={onClose}
    >
      <p>{o.carrierSwitchTexts[to]}</p>
      <p>{o.carrier.waitsNow(format.number(waits), lines.data ? format.number(lines.data.length) : "…")}</p>
    </ConfirmDialog>
  );
}
