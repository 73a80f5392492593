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

type State = {
  balance: { availableBalance: number; unit: string };
  status: "ACTIVE" | "INACTIVE";
  lasts: number | null;
};

/** Something that needs a look, and the page where it is seen to. */
type Warning = { text: string; link?: { href: string; title: string } };

/** Warnings of one kind, and whether they are not known yet. */
type Found = { list: Warning[]; isLoading: boolean };

/** What needs a look. Without any, nothing is shown. */
export function Warnings({ list }: { list: Warning[] }) {
  const t = useMessages();
  if (list.length === 0) return null;
  return (
    <section className="card warnings">
      <h2>{t.overview.warnings}</h2>
      <ul>
        {list.map((warning) => (
          <li key={warning.text}>
            {warning.text} {warning.link && <a href={warning.link.href}>{warning.link.title}</a>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The warnings of an account in a state, when what they depend on is known. */
export function useWarnings() {
  const t = useMessages();
  const [passkey, unsent, webhook] = [usePasskeyWarnings(), useUnsentWarnings(), useWebhookWarnings()];
  const money = useMoneyWarnings();
  return {
    areLoading: [passkey, unsent, webhook, money].some(({ isLoading }) => isLoading),
    of: (state: State): Warning[] => [
      ...(state.status === "INACTIVE" ? [{ text: t.overview.inactive }] : []),
      ...[...passkey.list, ...money.of(state), ...unsent.list, ...webhook.list],
    ],
  };
}

/** Who came in by a link has no other way back than a passkey. */
function usePasskeyWarnings(): Found {
  const t = useMessages();
  const isByLink = useSession().member?.signedInBy === "LINK";
  const { data, isLoading } = useQuery({ ...passkeysQuery, enabled: isByLink });
  if (!isByLink || data?.passkeys.length !== 0) return { list: [], isLoading };
  const link = { href: href("/settings"), title: t.overview.toSettings };
  return { list: [{ text: t.overview.noPasskey, link }], isLoading };
}

function useMoneyWarnings() {
  const { t, format } = useTexts();
  const { mode } = useSession();
  const { data, isLoading } = useQuery(dataQuery(["account", "low-balance"], "/account/low-balance"));
  const threshold = data?.lowBalance ?? null;
  const link = { href: href("/wallet"), title: t.overview.toWallet };
  const textsOf = ({ balance: { availableBalance, unit }, lasts }: State): string[] => {
    if (mode === "test") return [];
    if (availableBalance === 0) return [t.overview.empty];
    if (threshold !== null && availableBalance < threshold)
      return [t.overview.lowBalance(format.money(threshold, unit))];
    if (lasts !== null && lasts < fewDays) return [t.overview.lastsFew(format.number(lasts))];
    return [];
  };
  return { isLoading, of: (state: State) => textsOf(state).map((text) => ({ text, link })) };
}

/** What keeps messages from leaving: an operator's hold, or the carriers of a line. */
function useUnsentWarnings(): Found {
  const { t, format } = useTexts();
  const { span } = useSpans();
  const query = dataQuery(["account", "unsent"], "/account/unsent", {}, { refetchInterval: unsentEvery });
  const { data, isLoading } = useQuery(query);
  if (!data) return { list: [], isLoading };
  const waiting = format.number(data.recipients - data.scheduled);
  const late = data.lines.map(({ line, recipients, oldestSeconds }) => ({
    text: t.overview.late(`\u2068${format.digits(line)}\u2069`, format.number(recipients), span(oldestSeconds)),
  }));
  if (!data.hold) return { list: late, isLoading };
  const held = t.overview.hold(data.hasMore ? t.form.atLeast(waiting) : waiting);
  const why = data.reason ? [t.overview.reason(`\u2068${data.reason}\u2069`)] : [];
  return { list: [{ text: [held, ...why].join(" ") }, ...late], isLoading };
}

function useWebhookWarnings(): Found {
  const { t, format } = useTexts();
  const enabled = useMay("webhook");
  const { data = [], isLoading } = useQuery(dataQuery(["webhooks", "warnings"], "/webhook", {}, { enabled }));
  const list = data.flatMap(({ id, url, active, disabledReason, failingSince }) => {
    const address = `\u2068${url}\u2069`;
    const link = { href: href(`/webhooks/${id}`), title: t.overview.toWebhook };
    if (disabledReason === "GONE" || disabledReason === "FAILING") return { text: t.overview.webhook(address), link };
    if (!active || !failingSince) return [];
    return { text: t.overview.webhookFails(address, format.moment(failingSince)), link };
  });
  return { list, isLoading };
}
