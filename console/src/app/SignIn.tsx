import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { isUnauthorized } from "../api/problem.ts";
import { sessionQuery, signIn } from "../api/session.ts";
import { useMessages } from "../base/messages.ts";
import { Brand } from "../parts/Brand.tsx";
import { Button } from "../parts/Button.tsx";
import { ProblemText } from "../parts/Failure.tsx";
import { Heading } from "../parts/Heading.tsx";
import { TextField } from "../parts/TextField.tsx";
import { LanguageLink } from "./LanguageLink.tsx";
import { queryClient } from "./query-client.ts";

/** The page for who has no session. The key goes to the service once; the page forgets it when the answer is there. */
export function SignIn({ hasEnded = false }) {
  const t = useMessages();
  return (
    <div className="sign-in">
      <header>
        <Brand />
        <LanguageLink />
      </header>
      <main className="card">
        <Heading title={t.signIn.title} />
        {hasEnded ? <p role="status">{t.signIn.ended}</p> : <p className="faint">{t.signIn.lead}</p>}
        <KeyForm />
      </main>
      <footer>
        <p>{t.signIn.where}</p>
        <a href={t.app.docsAddress}>{t.app.docs}</a>
      </footer>
    </div>
  );
}

function KeyForm() {
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsMissing(key.trim() === "");
    if (key.trim() !== "") begin.mutate();
  };
  return (
    <form onSubmit={submit} noValidate>
      <TextField
        label={t.signIn.key}
        hint={t.signIn.keyHint}
        error={isMissing ? t.signIn.noKey : undefined}
        type="password"
        autoComplete="off"
        isCode
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
    </form>
  );
}
