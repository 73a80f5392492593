import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useMay } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { useFormat } from "../../format/format.ts";
import { Button } from "../../parts/Button.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { accountQuery } from "../overview/queries.ts";
import type { Estimate } from "./queries.ts";

type Props = { estimate: UseQueryResult<Estimate> | null; text: string; onUse: (text: string) => void };

/** What the message would cost, as the service says while one types. */
export function EstimateCard({ estimate, text, onUse }: Props) {
  const t = useMessages();
  return (
    <section className="card stack estimate" aria-busy={estimate?.isFetching ?? false}>
      <h2>{t.compose.estimate}</h2>
      {!estimate && <p className="faint">{t.compose.estimateEmpty}</p>}
      {estimate?.error && <ProblemText error={estimate.error} />}
      {estimate && !estimate.data && !estimate.error && <p className="faint">{t.compose.counting}</p>}
      {estimate?.data && !estimate.error && <Numbers estimate={estimate.data} />}
      {estimate?.data && !estimate.isPlaceholderData && !estimate.error && (
        <Cheaper estimate={estimate.data} text={text} onUse={onUse} />
      )}
    </section>
  );
}

function Numbers({ estimate }: { estimate: Estimate }) {
  const t = useMessages();
  const format = useFormat();
  const { data: account } = useQuery({ ...accountQuery, enabled: useMay("account:read") });
  const left = account && !estimate.test ? account.wallet.availableBalance - estimate.cost : null;
  return (
    <>
      <dl className="facts">
        <div>
          <dt>{t.compose.people}</dt>
          <dd>{format.number(estimate.recipients)}</dd>
        </div>
        <div>
          <dt>{t.compose.parts}</dt>
          <dd>{t.message.partsOf(format.number(estimate.parts), estimate.encoding)}</dd>
        </div>
        <div>
          <dt>{t.compose.cost}</dt>
          <dd>{format.money(estimate.cost, estimate.unit)}</dd>
        </div>
        {left !== null && left >= 0 && (
          <div>
            <dt>{t.compose.left}</dt>
            <dd>{format.money(left, estimate.unit)}</dd>
          </div>
        )}
      </dl>
      {estimate.faults.map(({ code, detail }) => (
        <p key={code} className="bad">
          {detail}
        </p>
      ))}
    </>
  );
}

/** The cheapest text that reads the same, if there is one. */
function Cheaper({ estimate, text, onUse }: { estimate: Estimate; text: string; onUse: (text: string) => void }) {
  const t = useMessages();
  const format = useFormat();
  const [cheapest] = estimate.alternatives;
  if (!cheapest || cheapest.text === text) return null;
  return (
    <div className="note">
      <p>
        <b>{t.compose.cheaper(format.money(estimate.cost - cheapest.cost, estimate.unit))}</b>
        <br />
        {t.compose.cheaperText}
      </p>
      <Button kind="quiet" onPress={() => onUse(cheapest.text)}>
        {t.compose.useCheaper}
      </Button>
    </div>
  );
}
