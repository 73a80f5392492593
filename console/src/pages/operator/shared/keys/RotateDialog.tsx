import { useState } from "react";
import { useMessages } from "../../../../base/messages.ts";
import { useOperatorMessages } from "../../../../base/operator-messages.ts";
import { useFormat } from "../../../../format/format.ts";
import { Confirm } from "../../../../parts/ConfirmDialog.tsx";
import { Select } from "../../../../parts/Select.tsx";
import type { AnyKey } from "./any-key.ts";

const hour = 3_600;
/** For how many hours the old key may work on. The shortest one lets a lost answer be asked for again. */
const graces = [1, 24, 24 * 7, 24 * 30];

/** Answers with the new key, this one time. */
export type Rotate = (key: string, body: { graceSeconds: number }) => Promise<{ key: string }>;

type Props = { of: AnyKey; rotate: Rotate; onRotated: (key: string) => void; onClose: () => void };

export function RotateDialog({ of, rotate, onRotated, onClose }: Props) {
  const t = useMessages();
  const o = useOperatorMessages();
  const format = useFormat();
  const [grace, setGrace] = useState("24");
  const span = (hours: number) =>
    hours < 24 ? o.keys.hours(format.number(hours)) : t.overview.days(format.number(hours / 24));
  return (
    <Confirm
      title={o.keys.rotateTitle(of.title)}
      submit={o.keys.rotateSubmit}
      ask={() => rotate(of.id, { graceSeconds: Number(grace) * hour })}
      stale={[["keys"]]}
      isSecret
      onDone={({ key }) => {
        onRotated(key);
        onClose();
      }}
      onClose={onClose}
    >
      <p>{o.keys.rotateText}</p>
      <Select
        label={o.keys.grace}
        value={grace}
        choices={graces.map((hours) => ({ id: String(hours), text: span(hours) }))}
        onChange={setGrace}
      />
    </Confirm>
  );
}
