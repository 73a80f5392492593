import { useQuery } from "@tanstack/react-query";
import { dataQuery } from "../../api/queries.ts";
import { useMay, useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { href } from "../../base/router.ts";
import { useSpans } from "../../format/spans.ts";
import { useTexts } from "../../format/texts.ts";
import { passkeysQuery } from "./queries.ts";

/** How often the overview looks whether something still waits, ms. */
const unsentEvery = 15_000;

/** From how few days on the overview warns that the balance will be used up. */
const fewDays = 3;

type Props = {
  balance: { availableBalance: number; unit: string };
  status: "ACTIVE" | "INACTIVE";
  lasts: number | null;
};

/** Something that needs a look, and the page where it is seen to. */
type Warning = { text: string; link?: { href: string; title: string } };

/** What needs a look. Without any, nothing is shown. */
export function Warnings(props: Props) {
  const t = useMessages();
  const warnings = [
    ...usePasskeyWarnings(),
    ...useMoneyWarnings(props),
    ...useUnsentWarnings(),
    ...useWebhookWarnings(),
  ];
  if (props.status === "INACTIVE") warnings.unshift({ text: t.overview.inactive });
  if (warnings.length === 0) return null;
  return (
    <section className="card warnings">
      <h2>{t.overview.warnings}</h2>
      <ul>
        {warnings.map((warning) => (
          <li key={warning.text}>
            {warning.text} {warning.link && <a href={warning.link.href}>{warning.link.title}</a>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Who came in by a link has no other way back than a passkey. */
function usePasskeyWarnings(): Warning[] {
  const t = useMessages();
  const isByLink = useSession().member?.signedInBy === "LINK";
  const { data } = useQuery({ ...passkeysQuery, enabled: isByLink });
  if (!isByLink || data?.passkeys.length !== 0) return [];
  return [{ text: t.overview.noPasskey, link: { href: href("/settings"), title: t.overview.toSettings } }];
}

function useMoneyWarnings(props: Props): Warning[] {
  const t = useMessages();
  const link = { href: href("/wallet"), title: t.overview.toWallet };
  return useMoneyTexts(props).map((text) => ({ text, link }));
}

function useMoneyTexts({ balance: { availableBalance, unit }, lasts }: Props): string[] {
  const { t, format } = useTexts();
  const { mode } = useSession();
  const threshold = useQuery(dataQuery(["account", "low-balance"], "/account/low-balance")).data?.lowBalance ?? null;
  if (mode === "test") return [];
  if (availableBalance === 0) return [t.overview.empty];
  if (threshold !== null && availableBalance < threshold) return [t.overview.lowBalance(format.money(threshold, unit))];
  if (lasts !== null && lasts < fewDays) return [t.overview.lastsFew(format.number(lasts))];
  return [];
}

/** What keeps messages from leaving: an operator's hold, or the carriers of a line. */
function useUnsentWarnings(): Warning[] {
  const { t, format } = useTexts();
  const { span } = useSpans();
  const { data } = useQuery(dataQuery(["account", "unsent"], "/account/unsent", {}, { refetchInterval: unsentEvery }));
  if (!data) return [];
  const waiting = format.number(data.recipients - data.scheduled);
  const late = data.lines.map(({ line, recipients, oldestSeconds }) => ({
    text: t.overview.late(`\u2068${format.digits(line)}\u2069`, format.number(recipients), span(oldestSeconds)),
  }));
  return data.hold ? [{ text: t.overview.hold(data.hasMore ? t.form.atLeast(waiting) : waiting) }, ...late] : late;
}

function useWebhookWarnings(): Warning[] {
  const { t, format } = useTexts();
  const enabled = useMay("webhook");
  const { data = [] } = useQuery(dataQuery(["webhooks", "warnings"], "/webhook", {}, { enabled }));
  return data.flatMap(({ id, url, active, disabledReason, failingSince }) => {
    const address = `\u2068${url}\u2069`;
    const link = { href: href(`/webhooks/${id}`), title: t.overview.toWebhook };
    if (disabledReason === "GONE" || disabledReason === "FAILING") return { text: t.overview.webhook(address), link };
    if (!active || !failingSince) return [];
    return { text: t.overview.webhookFails(address, format.moment(failingSince)), link };
  });
}
