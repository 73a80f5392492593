import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { href } from "../../base/router.ts";
import { useTexts } from "../../format/texts.ts";
import { StatusBadge } from "../../parts/Badge.tsx";
import { Code } from "../../parts/Code.tsx";
import { useShownText } from "../../parts/erased.ts";
import { type Fact, Facts } from "../../parts/Facts.tsx";
import { Loaded } from "../../parts/Loaded.tsx";
import { Page } from "../../parts/Page.tsx";
import { Acts } from "./Acts.tsx";
import { Progress } from "./Progress.tsx";
import { messageQuery } from "./queries.ts";
import { Recipients } from "./Recipients.tsx";

export default function MessagePage({ uid }: { uid: string }) {
  const t = useMessages();
  const message = useQuery(messageQuery(uid));
  return (
    <Page
      title={t.message.title}
      back={["/messages", t.message.back]}
      scope="sms:read"
      acts={message.data && <Acts message={message.data} />}
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

/** What became of the cost, as far as there is any. */
const moneyOf = (message: Schemas["MessageDetail"]) =>
  (["reserved", "spent", "released", "refunded"] as const)
    .map((name) => [name, message[name]] as const)
    .filter(([, amount]) => amount > 0);

function About({ message }: { message: Schemas["MessageDetail"] }) {
  const { t, format } = useTexts();
  const shown = useShownText();
  const facts: Fact[] = [
    [t.messages.status, <StatusBadge key="status" of={message} />],
    [t.messages.type, t.types[message.type]],
    [t.messages.line, <Code key="line">{format.digits(message.sourceNumber)}</Code>],
    [t.messages.people, format.number(message.recipientCount)],
    [t.message.parts, t.message.partsOf(format.number(message.parts), message.encoding)],
    // What has come back was not paid in the end.
    [t.messages.cost, format.money(message.cost - message.returned, message.unit)],
    ...moneyOf(message).map(([name, amount]): Fact => [t.message[name], format.money(amount, message.unit)]),
    [t.message.made, format.moment(message.createdAt)],
  ];
  if (message.campaign)
    facts.push([
      t.message.campaign,
      <a key="campaign" href={href(`/campaigns/${message.campaign}`)}>
        {t.message.toCampaign}
      </a>,
    ]);
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
      {message.test && <p className="note">{t.message.test}</p>}
      {message.simulated && <p className="note">{t.message.simulated}</p>}
      <Facts facts={facts} />
    </section>
  );
}
