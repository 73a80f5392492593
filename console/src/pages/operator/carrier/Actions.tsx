import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { answer, client, dataOf, type Schemas } from "../../../api/client.ts";
import { isConflict } from "../../../api/problem.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Confirm } from "../../../parts/ConfirmDialog.tsx";
import { DialogButton } from "../../../parts/DialogButton.tsx";
import { YesNo } from "../../../parts/YesNo.tsx";
import { carrierChange, carrierQuery, linesOfCarrierQuery } from "../queries.ts";
import { Switches } from "../shared/Switches.tsx";

/** What an operator does to a carrier as a whole. Each is asked once more before it is done. */
export function Actions({ carrier }: { carrier: Schemas["Carrier"] }) {
  const o = useOperatorMessages();
  const { name } = carrier;
  return (
    <div className="actions">
      <Switches
        of={carrier}
        nameOf={(to) => o.carrierSwitches[to]}
        titleOf={(to) => o.carrierSwitchTitles[to](`\u2068${name}\u2069`)}
        change={(body) => carrierChange(name, body)}
      >
        {(to) => (
          <>
            <p>{o.carrierSwitchTexts[to]}</p>
            <Waits carrier={carrier} />
          </>
        )}
      </Switches>
      {carrier.kind === "http" && (
        <DialogButton text={o.carrier.rotate} dialog={(close) => <RotateDialog name={name} onClose={close} />} />
      )}
      {name !== "sandbox" && (
        <DialogButton text={o.carrier.remove} dialog={(close) => <DeleteDialog name={name} onClose={close} />} />
      )}
    </div>
  );
}

/** What waits for a carrier, and how many lines feel it. */
function Waits({ carrier: { name, waiting, health } }: { carrier: Schemas["Carrier"] }) {
  const { o, format } = useOperatorTexts();
  const lines = useQuery(linesOfCarrierQuery(name)).data;
  const waits = waiting.recipients + health.queued + health.inWindow;
  return <p>{o.carrier.waitsNow(format.number(waits), lines ? format.number(lines.length) : "…")}</p>;
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
  return (
    <Confirm
      title={o.carrier.removeTitle(`\u2068${name}\u2069`)}
      submit={o.carrier.remove}
      kind="danger"
      ask={() => {
        const query = isForced ? ({ force: "true" } as const) : {};
        return answer(client.DELETE("/admin/carriers/{name}", { params: { path: { name }, query } }));
      }}
      deletes={carrierQuery(name)}
      onClose={onClose}
    >
      {(_, error) => (
        <>
          <p>{lines > 0 ? o.carrier.removeUsed(format.number(lines)) : o.carrier.removeText}</p>
          {/* Without a line, only reports that are missing stand against it: the refusal says how many. */}
          {(isForced || (lines === 0 && isConflict(error))) && (
            <YesNo
              label={o.carrier.removeAnyway}
              hint={o.carrier.removeAnywayHint}
              value={isForced}
              onChange={setIsForced}
            />
          )}
        </>
      )}
    </Confirm>
  );
}
