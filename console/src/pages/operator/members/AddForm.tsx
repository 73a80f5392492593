import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useMessages } from "../../../base/messages.ts";
import { TextField } from "../../../parts/TextField.tsx";
import type { OperatorScope } from "../keys/queries.ts";
import { FormActions } from "../shared/FormActions.tsx";
import { useOwnScopes } from "../shared/keys/own-scopes.ts";
import { ScopeChecks } from "../shared/keys/ScopeChecks.tsx";
import { addOperator } from "./queries.ts";

export function AddForm({ onClose }: { onClose: () => void }) {
  const t = useMessages();
  const queryClient = useQueryClient();
  const names = useOwnScopes();
  const [name, setName] = useState("");
  const [phone, setPhone] = useState("");
  const [scopes, setScopes] = useState<OperatorScope[]>([]);
  const [isTried, setIsTried] = useState(false);
  const make = useMutation({
    mutationFn: () => addOperator({ name: name.trim(), phone: phone.trim(), scopes }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ["members"] });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (name.trim() !== "" && phone.trim() !== "" && scopes.length > 0) make.mutate();
  };
  return (
    <form className="card stack narrow" onSubmit={submit} noValidate>
      <h2>{t.members.addTitle}</h2>
      <TextField
        label={t.members.name}
        error={isTried && name.trim() === "" ? t.members.noName : undefined}
        value={name}
        onChange={setName}
        autoComplete="off"
        autoFocus
      />
      <TextField
        label={t.members.phone}
        error={isTried && phone.trim() === "" ? t.members.noPhone : undefined}
        type="tel"
        isCode
        value={phone}
        onChange={setPhone}
        autoComplete="off"
      />
      <ScopeChecks names={names} value={scopes} onChange={setScopes} isMissing={isTried && scopes.length === 0} />
      <FormActions submit={t.members.addSubmit} isPending={make.isPending} error={make.error} onCancel={onClose} />
    </form>
  );
}
