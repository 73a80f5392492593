import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useMessages } from "../../base/messages.ts";
import { goTo } from "../../base/router.ts";
import { Button } from "../../parts/Button.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { create } from "./queries.ts";
import { hasTitle, TitleFields } from "./TitleFields.tsx";

/** Makes a phonebook, and goes there: it is empty, so numbers come next. */
export function CreateForm({ onClose }: { onClose: () => void }) {
  const t = useMessages();
  const queryClient = useQueryClient();
  const [titles, setTitles] = useState({ title: "", description: "" });
  const [isTried, setIsTried] = useState(false);
  const make = useMutation({
    mutationFn: () => create(titles),
    onSuccess: ({ id }) => {
      void queryClient.invalidateQueries({ queryKey: ["phonebooks"] });
      goTo(`/phonebooks/${id}`);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (hasTitle(titles)) make.mutate();
  };
  return (
    <section className="card stack narrow">
      <h2>{t.phonebooks.create}</h2>
      <form className="stack" onSubmit={submit} noValidate>
        <TitleFields value={titles} isTried={isTried} onChange={setTitles} />
        {make.error && <ProblemText error={make.error} />}
        <div className="actions">
          <Button kind="quiet" onPress={onClose}>
            {t.form.cancel}
          </Button>
          <Button type="submit" isPending={make.isPending}>
            {t.phonebooks.createSubmit}
          </Button>
        </div>
      </form>
    </section>
  );
}
