import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../api/client.ts";
import { dataQuery } from "../../api/queries.ts";
import { useMessages } from "../../base/messages.ts";
import { goTo, href, useRoute } from "../../base/router.ts";
import { useTexts } from "../../format/texts.ts";
import { Badge, type Tone } from "../../parts/Badge.tsx";
import { type Fact, Facts } from "../../parts/Facts.tsx";
import { Loaded } from "../../parts/Loaded.tsx";
import { Phone } from "../../parts/Phone.tsx";
import { SearchField } from "../../parts/SearchField.tsx";

const tones: Record<Schemas["Verification"]["status"], Tone> = {
  PENDING: "busy",
  APPROVED: "good",
  FAILED: "bad",
  EXPIRED: "calm",
  CANCELED: "calm",
  BLOCKED: "bad",
};

/** One verification, by the id that the program has of it. */
export function FindOne() {
  const t = useMessages();
  const { path, query } = useRoute();
  const id = query.get("id") ?? "";
  const look = (id: string) => goTo(path, { ...Object.fromEntries(query), id });
  return (
    <section className="card stack">
      <h2>{t.verify.findOne}</h2>
      <div className="narrow">
        <SearchField label={t.verify.id} value={id} onChange={look} />
      </div>
      {id && <Found id={id} />}
    </section>
  );
}

function Found({ id }: { id: string }) {
  return (
    <Loaded query={useQuery(dataQuery(["verify", "one"], "/verify/{id}", { path: { id } }))}>
      {(one) => <About of={one} />}
    </Loaded>
  );
}

function About({ of }: { of: Schemas["Verification"] }) {
  const { t, format } = useTexts();
  const facts: Fact[] = [
    [
      t.messages.status,
      <Badge key="status" tone={tones[of.status]}>
        {t.verificationStatuses[of.status]}
      </Badge>,
    ],
    [t.messages.recipient, <Phone key="to" of={of.recipient} />],
    [t.verify.purpose, <bdi key="purpose">{of.purpose}</bdi>],
    [t.verify.sends, format.number(of.sends)],
    [t.verify.left, format.number(of.attemptsLeft)],
    [t.messages.cost, format.money(of.cost, of.unit)],
    [t.verify.made, format.moment(of.createdAt)],
    [of.endedAt ? t.verify.ended : t.verify.expires, format.moment(of.endedAt ?? of.expiresAt)],
  ];
  return (
    <>
      <p className="hint">{t.verify.meaning[of.status]}</p>
      <Facts facts={facts} />
      {of.messageUid && (
        <p>
          <a href={href(`/messages/${of.messageUid}`)}>{t.verify.toMessage}</a>
        </p>
      )}
    </>
  );
}
