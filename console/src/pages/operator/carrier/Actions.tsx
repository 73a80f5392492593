import { useState } from "react";
import type { Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { Button } from "../../../parts/Button.tsx";
import { DeleteDialog } from "./DeleteDialog.tsx";
import { RotateDialog } from "./RotateDialog.tsx";
import { type Switch, SwitchDialog } from "./SwitchDialog.tsx";

type Asked = Switch | "rotate" | "delete";

/** What an operator does to a carrier as a whole. Each is asked once more before it is done. */
export function Actions({ carrier }: { carrier: Schemas["Carrier"] }) {
  const o = useOperatorMessages();
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  return (
    <div className="actions">
      <Button kind="quiet" onPress={() => setAsked(carrier.paused ? "resume" : "pause")}>
        {carrier.paused ? o.carrierSwitches.resume : o.carrierSwitches.pause}
      </Button>
      <Button kind="quiet" onPress={() => setAsked(carrier.active ? "deactivate" : "activate")}>
        {carrier.active ? o.carrierSwitches.deactivate : o.carrierSwitches.activate}
      </Button>
      {carrier.kind === "http" && (
        <Button kind="quiet" onPress={() => setAsked("rotate")}>
          {o.carrier.rotate}
        </Button>
      )}
      {carrier.name !== "sandbox" && (
        <Button kind="quiet" onPress={() => setAsked("delete")}>
          {o.carrier.remove}
        </Button>
      )}
      {asked === "rotate" && <RotateDialog name={carrier.name} onClose={close} />}
      {asked === "delete" && <DeleteDialog name={carrier.name} onClose={close} />}
      {asked !== null && asked !== "rotate" && asked !== "delete" && (
        <SwitchDialog carrier={carrier} to={asked} onClose={close} />
      )}
    </div>
  );
}
