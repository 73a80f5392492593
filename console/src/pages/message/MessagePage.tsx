import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { client, dataOf, type Schemas } from "../../api/client.ts";
import { dataQuery } from "../../api/queries.ts";
import { useMay } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { useTexts } from "../../format/texts.ts";
import { StatusBadge } from "../../parts/Badge.tsx";
import { Button } from "../../parts/Button.tsx";
import { Code } from "../../parts/Code.tsx";
import { Confirm } from "../../parts/ConfirmDialog.tsx";
import { useShownText } from "../../parts/erased.ts";
import { type Fact, Facts } from "../../parts/Facts.tsx";
import { Loaded } from "../../parts/Loaded.tsx";
import { Page } from "../../parts/Page.tsx";
import { Progress } from "./Progress.tsx";
import { Recipients } from "./Recipients.tsx";

export default function MessagePage({ uid }: { uid: string }) {
  const t = useMessages();
  const message = useQuery(messageQuery(uid));
  return (
    <Page
      title={t.message.title}
      back={["/messages", t.message.back]}
      scope="sms:read"
      acts={message.data && <CancelButton message={message.data} />}
    >
      <Loaded query={message}>
        {(message) => (
          <>
            <About message={message} />
            <Progress message={message} />
            <Recipients message={message} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function CancelButton({ message }: { message: Schemas["MessageDetail"] }) {
  const t = useMessages();
  const mayCancel = useMay("sms:send");
  const [isAsking, setIsAsking] = useState(false);
  return (
    <div>
      {message.status === "SCHEDULED" && mayCancel && (
        <Button kind="danger" onPress={() => setIsAsking(true)}>
          {t.message.cancel}
        </Button>
      )}
      <span role="status">{message.status === "CANCELED" ? t.message.canceled : ""}</span>
      {isAsking && <CancelDialog message={message} onClose={() => setIsAsking(false)} />}
    </div>
  );
}

/** What became of the cost, as far as there is any. */
const moneyOf = (message: Schemas["MessageDetail"]) =>
  (["reserved", "spent", "released", "refunded"] as const)
    .map((name) => [name, message[name]] as const)
    .filter(([, amount]) => amount > 0);

function About({ message }: { message: Schemas["MessageDetail"] }) {
  const { t, format } = useTexts();
  const shown = useShownText();
  const facts: Fact[] = [
    [t.messages.status, <StatusBadge key="status" status={message.status} />],
    [t.messages.type, t.types[message.type]],
    [t.messages.line, <Code key="line">{format.digits(message.sourceNumber)}</Code>],
    [t.messages.people, format.number(message.recipientCount)],
    [t.message.parts, t.message.partsOf(format.number(message.parts), message.encoding)],
    [t.messages.cost, format.money(message.cost, message.unit)],
    ...moneyOf(message).map(([name, amount]): Fact => [t.message[name], format.money(amount, message.unit)]),
    [t.message.made, format.moment(message.createdAt)],
  ];
  if (message.sendAt) facts.push([t.message.sendAt, format.moment(message.sendAt)]);
  if (message.clientRef) facts.push([t.message.reference, <bdi key="reference">{message.clientRef}</bdi>]);
  facts.push([
    t.message.uid,
    <Code key="uid" className="uid">
      {message.uid}
    </Code>,
  ]);
  return (
    <section className="card stack">
      <h2 className="visually-hidden">{t.message.text}</h2>
      <p className="message-text" {...shown(message.message)} />
      {message.simulated && <p className="note">{t.message.simulated}</p>}
      <Facts facts={facts} />
    </section>
  );
}

/** How often a message is looked at while it is sent, and while it waits for its time, ms. */
const waits = { sent: 3_000, scheduled: 30_000 };

function again(message: Schemas["MessageDetail"] | undefined): number | false {
  if (!message || message.status === "DONE" || message.status === "CANCELED") return false;
  return message.status === "SCHEDULED" ? waits.scheduled : waits.sent;
}

const messageQuery = (uid: string) =>
  dataQuery(
    ["messages", "one"],
    "/messages/{uid}",
    { path: { uid } },
    { refetchInterval: ({ state }) => again(state.data) },
  );

/** Says in numbers what a cancel does before it is done. */
function CancelDialog({ message, onClose }: { message: Schemas["MessageDetail"]; onClose: () => void }) {
  const { t, format } = useTexts();
  const { uid } = message;
  const people = format.number(message.recipientCount);
  return (
    <Confirm
      title={t.message.cancelTitle}
      submit={t.message.cancelSubmit(people)}
      keep={t.message.keep}
      kind="danger"
      ask={() => dataOf(client.DELETE("/messages/{uid}", { params: { path: { uid } } }))}
      stale={[["account"], ["messages"]]}
      replaces={messageQuery(uid)}
      onClose={onClose}
    >
      <p>{t.message.cancelText(people, format.money(message.cost, message.unit))}</p>
    </Confirm>
  );
}
