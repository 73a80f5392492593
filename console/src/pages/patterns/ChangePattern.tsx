import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useMessages } from "../../base/messages.ts";
import { Button } from "../../parts/Button.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { LinesField } from "./LinesField.tsx";
import { change, type Pattern } from "./queries.ts";

export function ChangePattern({ pattern, onClose }: { pattern: Pattern; onClose: () => void }) {
  const t = useMessages();
  const queryClient = useQueryClient();
  const [title, setTitle] = useState(pattern.title);
  const [lines, setLines] = useState(pattern.lines);
  const [isTried, setIsTried] = useState(false);
  const save = useMutation({
    mutationFn: () => change(pattern.slug, { title: title.trim(), lines }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ["patterns"] });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (title.trim() !== "") save.mutate();
  };
  return (
    <section className="card stack">
      <h2>{t.patterns.change}</h2>
      <form className="stack" onSubmit={submit} noValidate>
        <TextField
          label={t.patterns.name}
          error={isTried && title.trim() === "" ? t.patterns.noName : undefined}
          value={title}
          onChange={setTitle}
          autoComplete="off"
          autoFocus
        />
        <LinesField value={lines} onChange={setLines} />
        {save.error && <ProblemText error={save.error} />}
        <div className="actions">
          <Button kind="quiet" onPress={onClose}>
            {t.form.cancel}
          </Button>
          <Button type="submit" isPending={save.isPending}>
            {t.patterns.changeSubmit}
          </Button>
        </div>
      </form>
    </section>
  );
}
