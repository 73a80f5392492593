import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useMessages } from "../../base/messages.ts";
import { Button } from "../../parts/Button.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { TextField } from "../../parts/TextField.tsx";
import type { NewMember, Role } from "./queries.ts";
import { RoleChoice } from "./RoleChoice.tsx";

export function AddForm({ add, onClose }: { add: (member: NewMember) => Promise<unknown>; onClose: () => void }) {
  const t = useMessages();
  const queryClient = useQueryClient();
  const [name, setName] = useState("");
  const [phone, setPhone] = useState("");
  const [role, setRole] = useState<Role>("SENDER");
  const [isTried, setIsTried] = useState(false);
  const make = useMutation({
    mutationFn: () => add({ name: name.trim(), phone: phone.trim(), role }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ["members"] });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (name.trim() !== "" && phone.trim() !== "") make.mutate();
  };
  return (
    <section className="card stack narrow">
      <h2>{t.members.addTitle}</h2>
      <form className="stack" onSubmit={submit} noValidate>
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
        <RoleChoice value={role} onChange={setRole} />
        {make.error && <ProblemText error={make.error} />}
        <div className="actions">
          <Button kind="quiet" onPress={onClose}>
            {t.form.cancel}
          </Button>
          <Button type="submit" isPending={make.isPending}>
            {t.members.addSubmit}
          </Button>
        </div>
      </form>
    </section>
  );
}
