import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useMessages } from "../../base/messages.ts";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { YesNo } from "../../parts/YesNo.tsx";

type Props = { of: { name: string }; remove: (cascade: boolean) => Promise<unknown>; onClose: () => void };

export function RemoveDialog({ of, remove, onClose }: Props) {
  const t = useMessages();
  const queryClient = useQueryClient();
  const [cascade, setCascade] = useState(false);
  const end = useMutation({
    mutationFn: () => remove(cascade),
    onSuccess: () => {
      // Others who were admitted by the person may be gone too, and the keys that the person has made.
      void queryClient.invalidateQueries();
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={t.members.removeTitle(of.name)}
      submit={t.members.removeSubmit}
      keep={t.members.keep}
      kind="danger"
      isPending={end.isPending}
      error={end.error}
      onSubmit={() => end.mutate()}
      onClose={onClose}
    >
      <p>{t.members.removeText}</p>
      <YesNo label={t.members.cascade} hint={t.members.cascadeHint} value={cascade} onChange={setCascade} />
    </ConfirmDialog>
  );
}
