import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { isUnauthorized } from "../../api/problem.ts";
import { sessionQuery, signIn } from "../../api/session.ts";
import { useMessages } from "../../base/messages.ts";
import { Button } from "../../parts/Button.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { Form } from "../../parts/Form.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { queryClient } from "../query-client.ts";

/** The key goes to the service once; the page forgets it when the answer is there. */
export function KeyForm() {
  const t = useMessages();
  const [key, setKey] = useState("");
  const [isMissing, setIsMissing] = useState(false);
  const begin = useMutation({
    mutationFn: () => signIn(key.trim()),
    onSuccess: () => {
      setKey("");
      return queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    },
    gcTime: 0,
  });
  const submit = () => {
    setIsMissing(key.trim() === "");
    if (key.trim() !== "") begin.mutate();
  };
  return (
    <Form className="" onSubmit={submit}>
      <TextField
        label={t.signIn.key}
        hint={t.signIn.keyHint}
        error={isMissing ? t.signIn.noKey : undefined}
        type="password"
        isCode
        autoFocus
        value={key}
        onChange={setKey}
      />
      {begin.error &&
        (isUnauthorized(begin.error) ? (
          <p className="bad" role="alert">
            {t.signIn.refused}
          </p>
        ) : (
          <ProblemText error={begin.error} />
        ))}
      <Button type="submit" isPending={begin.isPending}>
        {t.signIn.submit}
      </Button>
    </Form>
  );
}
