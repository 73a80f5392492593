import { useState } from "react";
import { useChange } from "../../api/change.ts";
import { useMessages } from "../../base/messages.ts";
import { href } from "../../base/router.ts";
import { changeSettings, useSettings } from "../../base/settings.ts";
import { Button } from "../../parts/Button.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { Form } from "../../parts/Form.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { numberOf } from "./numbers.ts";
import { type Send, send } from "./queries.ts";

/** Sends the message to the person's own phone first. `testOf` makes it for one number; without it nothing is there to send. */
export function TestSend({ testOf }: { testOf: ((number: string) => Promise<Send>) | null }) {
  const t = useMessages();
  const { testNumber } = useSettings();
  const [isTried, setIsTried] = useState(false);
  const number = numberOf(testNumber);
  const go = useChange({
    ask: async (make: () => Promise<Send>) => send(await make(), crypto.randomUUID()),
    stale: [["account"], ["messages"]],
  });
  const submit = () => {
    setIsTried(true);
    if (testOf && number) go.mutate(() => testOf(number));
  };
  return (
    <Form className="stack test-send" onSubmit={submit}>
      <TextField
        label={t.compose.testNumber}
        hint={t.compose.testHint}
        error={isTried && !number ? t.phonebook.noNumber : undefined}
        isCode
        inputMode="tel"
        autoComplete="tel"
        value={testNumber}
        onChange={(testNumber) => changeSettings({ testNumber })}
      />
      <Button type="submit" kind="quiet" isPending={go.isPending} isDisabled={!testOf}>
        {t.compose.test}
      </Button>
      <p role="status">
        {go.data && (
          <>
            {t.compose.tested} <a href={href(`/messages/${go.data.uid}`)}>{t.wallet.open}</a>
          </>
        )}
      </p>
      {go.error && <ProblemText error={go.error} />}
    </Form>
  );
}
