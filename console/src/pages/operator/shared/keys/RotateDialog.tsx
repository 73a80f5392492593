import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useMessages } from "../../../../base/messages.ts";
import { useOperatorMessages } from "../../../../base/operator-messages.ts";
import { useFormat } from "../../../../format/format.ts";
import { ConfirmDialog } from "../../../../parts/ConfirmDialog.tsx";
import { Select } from "../../../../parts/Select.tsx";
import type { AnyKey } from "./any-key.ts";

const hour = 3_600;
/** For how many hours the old key may work on. The shortest one lets a lost answer be asked for again. */
const graces = [1, 24, 24 * 7, 24 * 30];

type Props = {
  of: AnyKey;
  /** Returns the new key, this one time. */
  rotate: (graceSeconds: number) => Promise<string>;
  onRotated: (key: string) => void;
  onClose: () => void;
};

export function RotateDialog({ of, rotate, onRotated, onClose }: Props) {
  const t = useMessages();
  const o = useOperatorMessages();
  const format = useFormat();
  const queryClient = useQueryClient();
  const [grace, setGrace] = useState("24");
  const replace = useMutation({
    mutationFn: () => rotate(Number(grace) * hour),
    onSuccess: (key) => {
      void queryClient.invalidateQueries({ queryKey: ["keys"] });
      onRotated(key);
      onClose();
    },
    gcTime: 0,
  });
  const span = (hours: number) =>
    hours < 24 ? o.keys.hours(format.number(hours)) : t.overview.days(format.number(hours / 24));
  return (
    <ConfirmDialog
      title={o.keys.rotateTitle(of.title)}
      submit={o.keys.rotateSubmit}
      keep={t.form.cancel}
      kind="main"
      isPending={replace.isPending}
      error={replace.error}
      onSubmit={() => replace.mutate()}
      onClose={onClose}
    >
      <p>{o.keys.rotateText}</p>
      <Select
        label={o.keys.grace}
        value={grace}
        choices={graces.map((hours) => ({ id: String(hours), text: span(hours) }))}
        onChange={setGrace}
      />
    </ConfirmDialog>
  );
}
