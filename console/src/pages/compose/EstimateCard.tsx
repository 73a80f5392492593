import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useMay } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { useTexts } from "../../format/texts.ts";
import { Facts } from "../../parts/Facts.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { useSaid } from "../../parts/use-said.ts";
import { accountQuery } from "../overview/queries.ts";
import { Cheaper } from "./Cheaper.tsx";
import { EncodingNote } from "./EncodingNote.tsx";
import { Notes } from "./Notes.tsx";
import type { Estimate } from "./queries.ts";
import { Samples } from "./Samples.tsx";
import { sumOf } from "./sum.ts";

type Props = {
  query: UseQueryResult<Estimate[]>;
  text: string;
  onUse: ((text: string) => void) | undefined;
  /** Whether it is for others, too: then this says what the text takes, and not to how many it goes. */
  isPart?: boolean;
};

/** The code of what the balance can't pay. */
const noCredit = 2_001;

/** What the messages would cost, as the service says while one types. */
export function EstimateCard({ query, onUse, ...of }: Props) {
  const t = useMessages();
  if (query.error) return <ProblemText error={query.error} />;
  if (!query.data) return <p className="faint">{t.compose.counting}</p>;
  return <Numbers {...of} estimates={query.data} onUse={query.isPlaceholderData ? undefined : onUse} />;
}

function Numbers({ estimates, text, onUse, isPart = false }: Omit<Props, "query"> & { estimates: Estimate[] }) {
  const { t, format } = useTexts();
  const { data: account } = useQuery({ ...accountQuery, enabled: useMay("account:read") });
  const said = useSaid();
  const sum = sumOf(estimates);
  const left = account && !sum.test && !isPart ? account.wallet.availableBalance - sum.cost : null;
  const lacks = left === null ? 0 : -left;
  // The service tells it of each message alone.
  const faults = sum.faults.filter(({ code }) => (lacks <= 0 && !isPart) || code !== noCredit);
  const [only] = estimates.length === 1 ? estimates : [];
  const facts: [string, string][] = [[t.compose.parts, t.message.partsOf(format.number(sum.parts), sum.encoding)]];
  if (!isPart) {
    facts.unshift([t.compose.people, format.number(sum.recipients)]);
    facts.push([t.compose.cost, format.money(sum.cost, sum.unit)]);
  }
  if (estimates.length > 1) facts.unshift([t.compose.messages, format.number(estimates.length)]);
  if (left !== null && left >= 0) facts.push([t.compose.left, format.money(left, sum.unit)]);
  return (
    <>
      <Facts facts={facts} />
      <EncodingNote encoding={sum.encoding} />
      {sum.suffix && <p className="hint">{t.compose.suffix(sum.suffix)}</p>}
      {sum.waitsUntil && !isPart && <p className="hint">{t.message.waitsForHours(format.moment(sum.waitsUntil))}</p>}
      {sum.skipped > 0 && !isPart && <p className="hint">{t.compose.skipped(format.number(sum.skipped))}</p>}
      {lacks > 0 && <p className="bad">{t.compose.notEnough(format.money(lacks, sum.unit))}</p>}
      {faults.map((fault) => (
        <p key={fault.code} className="bad">
          {said(fault)}
        </p>
      ))}
      <Notes of={sum.warnings} />
      {sum.samples.length > 0 && <Samples title={t.compose.samples} samples={sum.samples} text={text} />}
      {only && onUse && (
        <Cheaper alternatives={only.alternatives} cost={only.cost} unit={only.unit} text={text} onUse={onUse} />
      )}
    </>
  );
}
