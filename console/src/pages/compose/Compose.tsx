import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "../../api/change.ts";
import { useMay } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { href } from "../../base/router.ts";
import { useTexts } from "../../format/texts.ts";
import { Button } from "../../parts/Button.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { Page } from "../../parts/Page.tsx";
import { RadioChoice } from "../../parts/RadioChoice.tsx";
import { choicesOf } from "../../parts/Select.tsx";
import { useSaid } from "../../parts/use-said.ts";
import { accountQuery } from "../overview/queries.ts";
import { Content } from "./Content.tsx";
import { CountCard } from "./CountCard.tsx";
import { type Composition, useComposition } from "./composition.ts";
import { useCount } from "./counting.ts";
import { type Draft, type Kind, useDraft } from "./draft.ts";
import { EstimateCard } from "./EstimateCard.tsx";
import { LastLook, type Look } from "./LastLook.tsx";
import { LineSelect } from "./LineSelect.tsx";
import { type Estimate, estimate, estimatesQuery, type Send } from "./queries.ts";
import { Recipients } from "./Recipients.tsx";
import { Schedule } from "./Schedule.tsx";
import { sumOf } from "./sum.ts";
import { TestSend } from "./TestSend.tsx";

export default function Compose() {
  const t = useMessages();
  return (
    <Page title={t.compose.title} scope="sms:send">
      <Composer />
    </Page>
  );
}

function Composer() {
  const t = useMessages();
  const { draft, change, clear } = useDraft();
  const [isTried, setIsTried] = useState(false);
  const [look, setLook] = useState<Look | null>(null);
  const composition = useComposition(draft);
  const { version, pattern, text, sendAt, faults, sends, isWhole, isLoading } = composition;
  const lackOf = useLack();
  const review = useChange({
    ask: () => Promise.all(sends.map((send) => estimate(send))),
    onDone: (estimates) => {
      const isPersonal = draft.kind === "phonebooks";
      if (sumOf(estimates).faults.length === 0 && lackOf(estimates) === 0)
        setLook({ sends, estimates, text, isPersonal, sendAt, id: draft.id });
    },
  });
  const changeAll = (part: Partial<Draft>) => {
    review.reset();
    change(part);
  };
  const ask = () => {
    setIsTried(true);
    if (isWhole) review.mutate();
  };
  const empty = () => {
    review.reset();
    clear();
    setIsTried(false);
  };
  return (
    <div className="compose">
      <section className="card stack">
        <RadioChoice
          label={t.compose.kind}
          value={draft.kind}
          choices={choicesOf(t.compose.kinds)}
          onChange={(kind) => changeAll({ kind: kind as Kind })}
        />
        <Recipients draft={draft} composition={composition} isTried={isTried} onChange={changeAll} />
        <Content draft={draft} composition={composition} isTried={isTried} onChange={changeAll} />
        <LineSelect
          value={draft.line}
          operation={draft.kind === "pattern" ? "PATTERN" : "WEBSERVICE"}
          only={version && pattern?.lines}
          onChange={(line) => changeAll({ line })}
        />
        <Schedule draft={draft} error={isTried ? faults.when : undefined} onChange={changeAll} />
        <p className="hint">{t.compose.kept}</p>
        {!isLoading && <Unanswered message={draft.unanswered} sends={sends} />}
        {review.error && <ProblemText error={review.error} />}
        {review.data && <Refusals estimates={review.data} lack={lackOf(review.data)} />}
        <div className="actions">
          <Button kind="quiet" onPress={empty}>
            {t.compose.clear}
          </Button>
          <Button onPress={ask} isPending={review.isPending} isDisabled={isLoading}>
            {review.isPending ? t.compose.counting : t.compose.review}
          </Button>
        </div>
      </section>
      <Aside draft={draft} composition={composition} onUse={(text) => changeAll({ text })} />
      {look && (
        <LastLook
          look={look}
          onWait={(message) => change({ unanswered: message ? JSON.stringify(message) : "" })}
          onGone={(sent) => change({ unanswered: "", phonebooks: leftOf(draft.phonebooks, look.sends, sent) })}
          onSent={clear}
          onClose={() => setLook(null)}
        />
      )}
    </div>
  );
}

/** Tells of a message of which no answer has come, once the draft is another one: sending that again would be a second message. */
function Unanswered({ message, sends }: { message: string; sends: Send[] }) {
  const t = useMessages();
  if (message === "" || sends.some((send) => JSON.stringify(send) === message)) return null;
  return (
    <p className="note" role="status">
      {t.compose.unanswered}
      <a href={href("/messages")}>{t.compose.toMessages}</a>
    </p>
  );
}

/** What the balance lacks for several messages: each alone may be paid, and all together not. */
function useLack() {
  const { data: account } = useQuery({ ...accountQuery, enabled: useMay("account:read") });
  return (estimates: Estimate[]) => {
    const { cost, test } = sumOf(estimates);
    return account && !test && estimates.length > 1 ? Math.max(0, cost - account.wallet.availableBalance) : 0;
  };
}

/** Why the messages would be refused. */
function Refusals({ estimates, lack }: { estimates: Estimate[]; lack: number }) {
  const { t, format } = useTexts();
  const { faults, unit } = sumOf(estimates);
  const said = useSaid();
  const details = faults.map(said);
  if (faults.length === 0 && lack > 0) details.push(t.compose.notEnough(format.money(lack, unit)));
  return details.map((detail) => (
    <p key={detail} className="bad" role="alert">
      {detail}
    </p>
  ));
}

/** The phonebooks that are still to be sent to. */
function leftOf(phonebooks: string[], sends: Send[], sent: Send): string[] {
  const gone = sends.slice(0, sends.indexOf(sent) + 1);
  const ids = new Set(gone.flatMap((send) => ("phonebook" in send ? send.phonebook.phonebooks : [])));
  return phonebooks.filter((id) => !ids.has(id));
}

type AsideProps = { draft: Draft; composition: Composition; onUse: (text: string) => void };

/** Beside the message what it costs, and a test of it. */
function Aside({ draft, composition, onUse }: AsideProps) {
  const t = useMessages();
  const { numbers, sends, text, isPriceable } = composition;
  const counted = useCount(draft.kind, draft.line, numbers, text);
  const estimates = useQuery({ ...estimatesQuery(sends), enabled: isPriceable && counted === null });
  const use = draft.kind === "pattern" ? undefined : onUse;
  const isEmpty = text.trim() === "" || (counted === null && !isPriceable);
  return (
    <aside className="beside">
      <section className="card stack estimate" aria-busy={counted === null && estimates.isFetching}>
        <h2>{t.compose.estimate}</h2>
        {isEmpty ? (
          <p className="faint">{t.compose.estimateEmpty}</p>
        ) : counted ? (
          <CountCard counted={counted} text={text} onUse={use} />
        ) : (
          <EstimateCard query={estimates} text={text} onUse={use} />
        )}
      </section>
      <section className="card stack">
        <h2>{t.compose.testTitle}</h2>
        <TestSend testOf={testOf(draft, composition)} />
      </section>
    </aside>
  );
}

/** The same message to one number. The first person's text stands for those of phonebooks. */
function testOf(
  draft: Draft,
  { text, version, sends, faults }: Composition,
): ((number: string) => Promise<Send>) | null {
  const common = { sourceNumber: draft.line };
  if (draft.kind === "pattern") {
    const { pattern, values: variables } = draft;
    return version && !faults.pattern
      ? async (number) => ({ pattern: { pattern, variables, recipients: [number], ...common } })
      : null;
  }
  if (text.trim() === "") return null;
  const [first] = sends;
  return async (number) => {
    const [sample] = first && "phonebook" in first ? ((await estimate(first)).samples ?? []) : [];
    return { send: { message: sample ?? text, recipients: [number], ...common } };
  };
}
