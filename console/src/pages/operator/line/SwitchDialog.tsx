import type { Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useFormat } from "../../../format/format.ts";
import { ConfirmDialog } from "../../../parts/ConfirmDialog.tsx";
import { useLineChange } from "../queries.ts";

const changes = {
  pause: { paused: true },
  resume: { paused: false },
  deactivate: { active: false },
  activate: { active: true },
};

export type LineSwitch = keyof typeof changes;

export function SwitchDialog({ line, to, onClose }: { line: Schemas["Line"]; to: LineSwitch; onClose: () => void }) {
  const o = useOperatorMessages();
  const format = useFormat();
  const change = useLineChange(line.number, onClose);
  return (
    <ConfirmDialog
      title={o.lineSwitchTitles[to](`\u2066${format.digits(line.number)}\u2069`)}
      submit={o.lineSwitches[to]}
      kind={to === "pause" || to === "deactivate" ? "danger" : "main"}
      change={change}
      onSubmit={() => change.mutate(changes[to])}
      onClose={onClose}
    >
      <p>{o.lineSwitchTexts[to]}</p>
      <p>{o.line.waitsNow(format.number(line.waiting.recipients))}</p>
    </ConfirmDialog>
  );
}
