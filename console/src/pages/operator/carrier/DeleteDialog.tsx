import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "../../../api/change.ts";
import { answer, client } from "../../../api/client.ts";
import { isConflict } from "../../../api/problem.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useFormat } from "../../../format/format.ts";
import { ConfirmDialog } from "../../../parts/ConfirmDialog.tsx";
import { YesNo } from "../../../parts/YesNo.tsx";
import { carrierQuery, linesOfCarrierQuery } from "../queries.ts";

export function DeleteDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const o = useOperatorMessages();
  const format = useFormat();
  const lines = useQuery(linesOfCarrierQuery(name)).data?.length ?? 0;
  const [isForced, setIsForced] = useState(false);
  const remove = useChange(
    () => {
      const query = isForced ? ({ force: "true" } as const) : {};
      return answer(client.DELETE("/admin/carriers/{name}", { params: { path: { name }, query } }));
    },
    { deletes: carrierQuery(name) },
  );
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
