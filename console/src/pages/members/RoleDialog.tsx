import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useMessages } from "../../base/messages.ts";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { type Member, setRole } from "./queries.ts";
import { RoleChoice } from "./RoleChoice.tsx";

export function RoleDialog({ of, onClose }: { of: Member; onClose: () => void }) {
  const t = useMessages();
  const queryClient = useQueryClient();
  const [role, choose] = useState(of.role);
  const change = useMutation({
    mutationFn: () => setRole(of.id, role),
    onSuccess: () => {
      void queryClient.invalidateQueries();
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={t.members.roleTitle(of.name)}
      submit={t.members.roleSubmit}
      keep={t.members.keep}
      kind="main"
      isPending={change.isPending}
      error={change.error}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <RoleChoice value={role} onChange={choose} />
      <p>{t.members.roleText}</p>
    </ConfirmDialog>
  );
}
