import { useState } from "react";
import type { Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { Button } from "../../../parts/Button.tsx";
import { DeleteDialog } from "./DeleteDialog.tsx";
import { type LineSwitch, SwitchDialog } from "./SwitchDialog.tsx";

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
