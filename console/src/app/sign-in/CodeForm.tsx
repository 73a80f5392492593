import { type UseMutationResult, useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type AskedCode, sessionQuery, signInByCode } from "../../api/session.ts";
import { useMessages } from "../../base/messages.ts";
import { Button } from "../../parts/Button.tsx";
import { Code } from "../../parts/Code.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { Form } from "../../parts/Form.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { queryClient } from "../query-client.ts";

type Props = {
  asked: AskedCode;
  /** Asks for the code again. */
  ask: UseMutationResult<AskedCode, Error, void>;
  onOther: () => void;
};

export function CodeForm({ asked, ask, onOther }: Props) {
  const t = useMessages();
  const [code, setCode] = useState("");
  const [isMissing, setIsMissing] = useState(false);
  const mayAskAgain = useIsPast(asked.resendAt);
  const check = useMutation({
    mutationFn: () => signInByCode(asked.phone, code.trim()),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  });
  const submit = () => {
    setIsMissing(code.trim() === "");
    if (code.trim() !== "") check.mutate();
  };
  return (
    <Form className="" onSubmit={submit}>
      <p role="status">
        {t.signIn.codeSent} <Code>{asked.phone}</Code>
      </p>
      <TextField
        label={t.signIn.code}
        error={isMissing ? t.signIn.noCode : undefined}
        inputMode="numeric"
        autoComplete="one-time-code"
        isCode
        autoFocus
        value={code}
        onChange={setCode}
      />
      {(check.error ?? ask.error) && <ProblemText error={(check.error ?? ask.error) as Error} />}
      <Button type="submit" isPending={check.isPending}>
        {t.signIn.submit}
      </Button>
      <div className="actions">
        <Button kind="link" isDisabled={!mayAskAgain} isPending={ask.isPending} onPress={() => ask.mutate()}>
          {t.signIn.again}
        </Button>
        <Button kind="link" onPress={onOther}>
          {t.signIn.otherPhone}
        </Button>
      </div>
      <p className="hint">{t.signIn.codeNone}</p>
    </Form>
  );
}

/** Whether a time has come. */
function useIsPast(time: string) {
  const [isPast, setIsPast] = useState(false);
  useEffect(() => {
    const left = Date.parse(time) - Date.now();
    setIsPast(left <= 0);
    const timer = setTimeout(() => setIsPast(true), Math.max(left, 0));
    return () => clearTimeout(timer);
  }, [time]);
  return isPast;
}
