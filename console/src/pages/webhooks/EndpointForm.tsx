import { useState } from "react";
import type { Schemas } from "../../api/client.ts";
import { type Scope, useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { ChangeForm } from "../../parts/ChangeForm.tsx";
import { Checks } from "../../parts/Checks.tsx";
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
  "campaign.paused": "sms:read",
  "campaign.stopped": "sms:read",
  "campaign.done": "sms:read",
  "pattern.reviewed": "pattern",
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

/** The form of a new endpoint, and of one that is changed. The answer may have a secret, which stays no longer than it is shown. */
export function EndpointForm<Saved>({ title, submit, of, save, onSaved, onClose }: Props<Saved>) {
  const t = useMessages();
  const { scopes } = useSession();
  const [url, setUrl] = useState(of?.url ?? "https://");
  const [events, setEvents] = useState(of?.events ?? usual.filter((type) => scopes.includes(needed[type])));
  const [description, setDescription] = useState(of?.description ?? "");
  const [lowBalance, setLowBalance] = useState(of?.lowBalance ? String(of.lowBalance) : "");
  const isMissing = url.trim() === "" || url.trim() === "https://";
  return (
    <ChangeForm
      title={title}
      isWide
      submit={submit}
      isWhole={!isMissing && events.length > 0}
      ask={() => save({ url: url.trim(), events, ...optional(description, lowBalance) })}
      stale={[["webhooks"]]}
      isSecret
      onDone={(saved) => {
        onSaved?.(saved);
        onClose();
      }}
      onClose={onClose}
    >
      {(isTried) => (
        <>
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
        </>
      )}
    </ChangeForm>
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
    <Checks
      label={t.webhooks.events}
      choices={types}
      value={value}
      onChange={onChange}
      error={isMissing ? t.webhooks.noEvents : undefined}
    >
      {(type) => t.eventTypes[type]}
    </Checks>
  );
}
