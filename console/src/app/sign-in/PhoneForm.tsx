import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { askForCode } from "../../api/session.ts";
import { useMessages } from "../../base/messages.ts";
import { Button } from "../../parts/Button.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { Form } from "../../parts/Form.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { CodeForm } from "./CodeForm.tsx";

/** Asks for the phone, and then for the code that has come to it. */
export function PhoneForm() {
  const t = useMessages();
  const [phone, setPhone] = useState("");
  const [isMissing, setIsMissing] = useState(false);
  const ask = useMutation({ mutationFn: () => askForCode(phone.trim()) });
  const submit = () => {
    setIsMissing(phone.trim() === "");
    if (phone.trim() !== "") ask.mutate();
  };
  if (ask.data) return <CodeForm asked={ask.data} ask={ask} onOther={() => ask.reset()} />;
  return (
    <Form className="" onSubmit={submit}>
      <TextField
        label={t.signIn.phone}
        hint={t.signIn.phoneHint}
        error={isMissing ? t.signIn.noPhone : undefined}
        type="tel"
        autoComplete="tel"
        isCode
        value={phone}
        onChange={setPhone}
      />
      {ask.error && <ProblemText error={ask.error} />}
      <Button type="submit" isPending={ask.isPending}>
        {t.signIn.askForCode}
      </Button>
    </Form>
  );
}
