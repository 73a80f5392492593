import { type FormEvent, useState } from "react";
import { useChange } from "../../api/change.ts";
import { client, dataOf } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { goTo } from "../../base/router.ts";
import { FormActions } from "../../parts/FormActions.tsx";
import { bodyOf, hasTitle, TitleFields } from "./TitleFields.tsx";

/** Makes a phonebook, and goes there: it is empty, so numbers come next. */
export function CreateForm({ onClose }: { onClose: () => void }) {
  const t = useMessages();
  const [titles, setTitles] = useState({ title: "", description: "" });
  const [isTried, setIsTried] = useState(false);
  const make = useChange(() => dataOf(client.POST("/phonebook", { body: bodyOf(titles) })), {
    stale: [["phonebooks"]],
    onDone: ({ id }) => goTo(`/phonebooks/${id}`),
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
        <FormActions submit={t.phonebooks.createSubmit} change={make} onCancel={onClose} />
      </form>
    </section>
  );
}
