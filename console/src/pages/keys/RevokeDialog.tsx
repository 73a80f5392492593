import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Checkbox } from "react-aria-components/Checkbox";
import { useMessages } from "../../base/messages.ts";
import { useFormat } from "../../format/format.ts";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { type Key, revoke } from "./queries.ts";

export function RevokeDialog({ of, onClose }: { of: Key; onClose: () => void }) {
  const t = useMessages();
  const format = useFormat();
  const queryClient = useQueryClient();
  const [cascade, setCascade] = useState(false);
  const end = useMutation({
    mutationFn: () => revoke(of.id, cascade),
    onSuccess: () => {
      // Who revokes the key of the own session is out: this request notices it.
      void queryClient.invalidateQueries();
      onClose();
    },
  });
  const used = of.lastUsedAt ? format.ago(of.lastUsedAt) : t.keys.neverUsed;
  return (
    <ConfirmDialog
      title={t.keys.revokeTitle(of.title)}
      submit={t.keys.revokeSubmit}
      keep={t.keys.keep}
      kind="danger"
      isPending={end.isPending}
      error={end.error}
      onSubmit={() => end.mutate()}
      onClose={onClose}
    >
      <p>{t.keys.revokeText}</p>
      <p>{t.keys.revokeLast(used)}</p>
      <Checkbox className="check" isSelected={cascade} onChange={setCascade}>
        <span className="box" />
        {t.keys.cascade}
      </Checkbox>
    </ConfirmDialog>
  );
}
