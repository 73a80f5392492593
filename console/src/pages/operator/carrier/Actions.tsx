import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "../../../api/change.ts";
import { answer, client, dataOf, type Schemas } from "../../../api/client.ts";
import { isConflict } from "../../../api/problem.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Button } from "../../../parts/Button.tsx";
import { Confirm, ConfirmDialog } from "../../../parts/ConfirmDialog.tsx";
import { YesNo } from "../../../parts/YesNo.tsx";
import { carrierQuery, linesOfCarrierQuery, useCarrierChange } from "../queries.ts";

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

const changes = {
  pause: { paused: true },
  resume: { paused: false },
  deactivate: { active: false },
  activate: { active: true },
};

type Switch = keyof typeof changes;

/** Stops a carrier, or lets it go on: what waits, and which lines feel it, is said before. */
function SwitchDialog({ carrier, to, onClose }: { carrier: Schemas["Carrier"]; to: Switch; onClose: () => void }) {
  const { o, format } = useOperatorTexts();
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

/** The new address for messages from phones stands among the settings afterwards. */
function RotateDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const o = useOperatorMessages();
  return (
    <Confirm
      title={o.carrier.rotateTitle(`\u2068${name}\u2069`)}
      submit={o.carrier.rotate}
      ask={() => dataOf(client.POST("/admin/carriers/{name}/rotate-callback", { params: { path: { name } } }))}
      replaces={carrierQuery(name)}
      onClose={onClose}
    >
      <p>{o.carrier.rotateText}</p>
    </Confirm>
  );
}

function DeleteDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const { o, format } = useOperatorTexts();
  const lines = useQuery(linesOfCarrierQuery(name)).data?.length ?? 0;
  const [isForced, setIsForced] = useState(false);
  const remove = useChange({
    ask: () => {
      const query = isForced ? ({ force: "true" } as const) : {};
      return answer(client.DELETE("/admin/carriers/{name}", { params: { path: { name }, query } }));
    },
    deletes: carrierQuery(name),
  });
  // Without a line, only reports that are missing stand against it: the refusal says how many.
  const missesReports = isForced || (lines === 0 && isConflict(remove.error));
  return (
    <ConfirmDialog
      title={o.carrier.removeTitle(`\u2068${name}\u2069`)}
      submit={o.carrier.remove}
      kind="danger"
      change={remove}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{lines > 0 ? o.carrier.removeUsed(format.number(lines)) : o.carrier.removeText}</p>
      {missesReports && (
        <YesNo
          label={o.carrier.removeAnyway}
          hint={o.carrier.removeAnywayHint}
          value={isForced}
          onChange={setIsForced}
        />
      )}
    </ConfirmDialog>
  );
}
