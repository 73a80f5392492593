import { useState } from "react";
import { Checkbox } from "react-aria-components/Checkbox";
import { CheckboxGroup } from "react-aria-components/CheckboxGroup";
import { FieldError } from "react-aria-components/FieldError";
import { Label } from "react-aria-components/Label";
import { useChange } from "../../api/change.ts";
import type { Schemas } from "../../api/client.ts";
import { type Scope, useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { Form } from "../../parts/Form.tsx";
import { FormActions } from "../../parts/FormActions.tsx";
import { TextField } from "../../parts/TextField.tsx";

type EventType = Schemas["EventType"];

/** What people set of an endpoint. */
type Settings = { url: string; events: EventType[]; description: string | null; lowBalance: number | null };

/** The scope that a key needs to be told of something. */
const needed: Record<EventType, Scope> = {
  "message.status": "sms:read",
  "message.submitted": "sms:read",
  "message.received": "sms:read",
  "wallet.low": "account:read",
  "verify.status": "verify",
  "verify.paused": "verify",
  "webhook.disabled": "webhook",
};
const usual: EventType[] = ["message.status"];

type Props<Saved> = {
  title: string;
  submit: string;
  of?: Schemas["Endpoint"];
  save: (settings: Settings) => Promise<Saved>;
  onSaved?: (saved: Saved) => void;
  onClose: () => void;
};

/** The form of a new endpoint, and of one that is changed. */
export function EndpointForm<Saved>({ title, submit, of, save, onSaved, onClose }: Props<Saved>) {
  const t = useMessages();
  const { scopes } = useSession();
  const [url, setUrl] = useState(of?.url ?? "https://");
  const [events, setEvents] = useState(of?.events ?? usual.filter((type) => scopes.includes(needed[type])));
  const [description, setDescription] = useState(of?.description ?? "");
  const [lowBalance, setLowBalance] = useState(of?.lowBalance ? String(of.lowBalance) : "");
  const [isTried, setIsTried] = useState(false);
  const send = useChange({
    ask: () => save({ url: url.trim(), events, ...optional(description, lowBalance) }),
    stale: [["webhooks"]],
    // The answer may have a secret: nothing of it stays in memory longer than it is shown.
    isSecret: true,
    onDone: (saved) => {
      onSaved?.(saved);
      onClose();
    },
  });
  const isMissing = url.trim() === "" || url.trim() === "https://";
  const onSubmit = () => {
    setIsTried(true);
    if (!isMissing && events.length > 0) send.mutate();
  };
  return (
    <section className="card stack">
      <h2>{title}</h2>
      <Form onSubmit={onSubmit}>
        <TextField
          label={t.webhooks.address}
          hint={t.webhooks.addressHint}
          error={isTried && isMissing ? t.webhooks.noAddress : undefined}
          isCode
          inputMode="url"
          value={url}
          onChange={setUrl}
          autoFocus
        />
        <Events value={events} onChange={setEvents} isMissing={isTried && events.length === 0} />
        {events.includes("wallet.low") && (
          <TextField
            label={t.webhooks.lowBalance}
            hint={t.webhooks.lowBalanceHint}
            isCode
            inputMode="numeric"
            value={lowBalance}
            onChange={setLowBalance}
          />
        )}
        <TextField label={t.webhooks.description} value={description} onChange={setDescription} />
        <FormActions submit={submit} change={send} onCancel={onClose} />
      </Form>
    </section>
  );
}

const optional = (description: string, lowBalance: string) => ({
  description: description.trim() || null,
  lowBalance: lowBalance.trim() ? Number(lowBalance) : null,
});

type EventsProps = { value: EventType[]; onChange: (events: EventType[]) => void; isMissing: boolean };

function Events({ value, onChange, isMissing }: EventsProps) {
  const t = useMessages();
  const { scopes } = useSession();
  const types = (Object.keys(needed) as EventType[]).filter((type) => scopes.includes(needed[type]));
  return (
    <CheckboxGroup
      className="field"
      value={value}
      onChange={(events) => onChange(events as EventType[])}
      isInvalid={isMissing}
    >
      <Label>{t.webhooks.events}</Label>
      <div className="checks">
        {types.map((type) => (
          <Checkbox key={type} value={type} className="check">
            <span className="box" />
            {t.eventTypes[type]}
          </Checkbox>
        ))}
      </div>
      <FieldError className="bad">{isMissing ? t.webhooks.noEvents : undefined}</FieldError>
    </CheckboxGroup>
  );
}
