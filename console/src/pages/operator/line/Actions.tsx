import { useState } from "react";
import { answer, client, type Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Button } from "../../../parts/Button.tsx";
import { Confirm, ConfirmDialog } from "../../../parts/ConfirmDialog.tsx";
import { lineQuery, useLineChange } from "../queries.ts";

export function Actions({ line }: { line: Schemas["Line"] }) {
  const o = useOperatorMessages();
  const [asked, setAsked] = useState<LineSwitch | "delete" | null>(null);
  const close = () => setAsked(null);
  return (
    <div className="actions">
      <Button kind="quiet" onPress={() => setAsked(line.paused ? "resume" : "pause")}>
        {line.paused ? o.lineSwitches.resume : o.lineSwitches.pause}
      </Button>
      <Button kind="quiet" onPress={() => setAsked(line.active ? "deactivate" : "activate")}>
        {line.active ? o.lineSwitches.deactivate : o.lineSwitches.activate}
      </Button>
      <Button kind="quiet" onPress={() => setAsked("delete")}>
        {o.line.remove}
      </Button>
      {asked === "delete" && <DeleteDialog number={line.number} onClose={close} />}
      {asked !== null && asked !== "delete" && <SwitchDialog line={line} to={asked} onClose={close} />}
    </div>
  );
}

const changes = {
  pause: { paused: true },
  resume: { paused: false },
  deactivate: { active: false },
  activate: { active: true },
};

type LineSwitch = keyof typeof changes;

function SwitchDialog({ line, to, onClose }: { line: Schemas["Line"]; to: LineSwitch; onClose: () => void }) {
  const { o, format } = useOperatorTexts();
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

function DeleteDialog({ number, onClose }: { number: string; onClose: () => void }) {
  const { o, format } = useOperatorTexts();
  return (
    <Confirm
      title={o.line.removeTitle(`\u2066${format.digits(number)}\u2069`)}
      submit={o.line.remove}
      kind="danger"
      ask={() => answer(client.DELETE("/admin/lines/{number}", { params: { path: { number } } }))}
      deletes={lineQuery(number)}
      onClose={onClose}
    >
      <p>{o.line.removeText}</p>
    </Confirm>
  );
}
