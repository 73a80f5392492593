import { useQuery } from "@tanstack/react-query";
import { useMay, useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { useFormat } from "../../format/format.ts";
import { lowBalanceQuery, webhooksQuery } from "./queries.ts";

/** From how few days on the overview warns that the balance will be used up. */
const fewDays = 3;

type Props = {
  balance: { availableBalance: number; unit: string };
  status: "ACTIVE" | "INACTIVE";
  lasts: number | null;
};

/** What needs a look. Without any, nothing is shown. */
export function Warnings(props: Props) {
  const t = useMessages();
  const warnings = [...useMoneyWarnings(props), ...useWebhookWarnings()];
  if (props.status === "INACTIVE") warnings.unshift(t.overview.inactive);
  if (warnings.length === 0) return null;
  return (
    <section className="card warnings">
      <h2>{t.overview.warnings}</h2>
      <ul>
        {warnings.map((warning) => (
          <li key={warning}>{warning}</li>
        ))}
      </ul>
    </section>
  );
}

function useMoneyWarnings({ balance: { availableBalance, unit }, lasts }: Props): string[] {
  const t = useMessages();
  const format = useFormat();
  const { mode } = useSession();
  const threshold = useQuery(lowBalanceQuery).data?.lowBalance ?? null;
  if (mode === "test") return [];
  if (availableBalance === 0) return [t.overview.empty];
  if (threshold !== null && availableBalance < threshold) return [t.overview.lowBalance(format.money(threshold, unit))];
  if (lasts !== null && lasts < fewDays) return [t.overview.lastsFew(format.number(lasts))];
  return [];
}

function useWebhookWarnings(): string[] {
  const t = useMessages();
  const { data = [] } = useQuery({ ...webhooksQuery, enabled: useMay("webhook") });
  const stopped = data.filter(({ disabledReason }) => disabledReason === "GONE" || disabledReason === "FAILING");
  return stopped.map(({ url }) => t.overview.webhook(`\u2068${url}\u2069`));
}
