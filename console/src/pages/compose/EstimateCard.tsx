import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useMay } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { useTexts } from "../../format/texts.ts";
import { directionOf } from "../../parts/direction.ts";
import { Facts } from "../../parts/Facts.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { accountQuery } from "../overview/queries.ts";
import { Cheaper } from "./Cheaper.tsx";
import type { Estimate } from "./queries.ts";
import { sumOf } from "./sum.ts";

type Props = {
  query: UseQueryResult<Estimate[]>;
  text: string;
  onUse: ((text: string) => void) | undefined;
};

/** The code of what the balance can't pay. */
const noCredit = 2_001;

/** What the messages would cost, as the service says while one types. */
export function EstimateCard({ query, text, onUse }: Props) {
  const t = useMessages();
  if (query.error) return <ProblemText error={query.error} />;
  if (!query.data) return <p className="faint">{t.compose.counting}</p>;
  return <Numbers estimates={query.data} text={text} onUse={query.isPlaceholderData ? undefined : onUse} />;
}

function Numbers({ estimates, text, onUse }: Omit<Props, "query"> & { estimates: Estimate[] }) {
  const { t, format } = useTexts();
  const { data: account } = useQuery({ ...accountQuery, enabled: useMay("account:read") });
  const sum = sumOf(estimates);
  const left = account && !sum.test ? account.wallet.availableBalance - sum.cost : null;
  const lacks = left === null ? 0 : -left;
  // The service tells it of each message alone.
  const faults = sum.faults.filter(({ code }) => lacks <= 0 || code !== noCredit);
  const [only] = estimates.length === 1 ? estimates : [];
  const facts: [string, string][] = [
    [t.compose.people, format.number(sum.recipients)],
    [t.compose.parts, t.message.partsOf(format.number(sum.parts), sum.encoding)],
    [t.compose.cost, format.money(sum.cost, sum.unit)],
  ];
  if (estimates.length > 1) facts.unshift([t.compose.messages, format.number(estimates.length)]);
  if (left !== null && left >= 0) facts.push([t.compose.left, format.money(left, sum.unit)]);
  return (
    <>
      <Facts facts={facts} />
      {sum.suffix && <p className="hint">{t.compose.suffix(sum.suffix)}</p>}
      {sum.waitsUntil && <p className="hint">{t.message.waitsForHours(format.moment(sum.waitsUntil))}</p>}
      {sum.skipped > 0 && <p className="hint">{t.compose.skipped(format.number(sum.skipped))}</p>}
      {lacks > 0 && <p className="bad">{t.compose.notEnough(format.money(lacks, sum.unit))}</p>}
      {faults.map(({ code, detail }) => (
        <p key={code} className="bad">
          {detail}
        </p>
      ))}
      {sum.samples.length > 0 && (
        <div className="stack samples">
          <h3>{t.compose.samples}</h3>
          {sum.samples.map((sample, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two people may get the same text.
            <p key={place} className="message-text" dir={directionOf(text)}>
              {sample}
            </p>
          ))}
        </div>
      )}
      {only && onUse && (
        <Cheaper alternatives={only.alternatives} cost={only.cost} unit={only.unit} text={text} onUse={onUse} />
      )}
    </>
  );
}
