import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { dataQuery } from "../../api/queries.ts";
import { useSession } from "../../api/session-context.ts";
import { type Messages, useMessages } from "../../base/messages.ts";
import { href } from "../../base/router.ts";
import type { Format } from "../../format/format.ts";
import { useTexts } from "../../format/texts.ts";
import { ComposeLink } from "../../parts/ComposeLink.tsx";
import { Heading } from "../../parts/Heading.tsx";
import { Loaded } from "../../parts/Loaded.tsx";
import { Loading } from "../../parts/Loading.tsx";
import { NeedsScope } from "../../parts/NeedsScope.tsx";
import { type Tile, Tiles } from "../../parts/Tiles.tsx";
import { MessageTable } from "../messages/MessageTable.tsx";
import { FirstDay } from "./FirstDay.tsx";
import { Outcomes } from "./Outcomes.tsx";
import { accountQuery, usageQuery } from "./queries.ts";
import { UsageCharts } from "./UsageCharts.tsx";
import { lastDays, summaryOf, type Usage, usageOf } from "./usage.ts";
import { useWarnings, Warnings } from "./Warnings.tsx";

export function Overview() {
  const t = useMessages();
  return (
    <>
      <Heading title={t.overview.title}>
        <ComposeLink />
      </Heading>
      <NeedsScope scope="account:read">
        <Numbers />
      </NeedsScope>
      <NeedsScope scope="sms:read">
        <Scheduled />
      </NeedsScope>
    </>
  );
}

function Numbers() {
  const [dates] = useState(() => lastDays(Date.now()));
  const { mode } = useSession();
  const account = useQuery(accountQuery);
  const warnings = useWarnings();
  const usage = useQuery(usageQuery(dates));
  return (
    <Loaded query={account}>
      {({ wallet, accountInfo }) => (
        <Loaded query={usage}>
          {(rows) => {
            const counted = usageOf(rows, dates, mode);
            const summary = summaryOf(counted, wallet.availableBalance);
            // A warning that came after the numbers would push them down.
            if (warnings.areLoading) return <Loading />;
            return (
              <>
                <Warnings list={warnings.of({ balance: wallet, status: accountInfo.status, lasts: summary.lasts })} />
                <FirstDay balance={wallet.availableBalance} usage={counted} />
                <Numbered wallet={wallet} usage={counted} />
                <UsageCharts usage={counted} />
                <Outcomes />
              </>
            );
          }}
        </Loaded>
      )}
    </Loaded>
  );
}

type Wallet = { availableBalance: number; lockedBalance: number; unit: string };

function Numbered({ wallet, usage }: { wallet: Wallet; usage: Usage }) {
  const { t, format } = useTexts();
  return <Tiles tiles={tilesOf(t, format, wallet, usage)} />;
}

function tilesOf(t: Messages, format: Format, wallet: Wallet, usage: Usage): Tile[] {
  const summary = summaryOf(usage, wallet.availableBalance);
  const money = (amount: number) => format.money(amount, wallet.unit);
  return [
    {
      title: t.overview.balance,
      value: money(wallet.availableBalance),
      note: wallet.lockedBalance > 0 && t.overview.locked(money(wallet.lockedBalance)),
    },
    {
      title: t.overview.lasts,
      value: summary.lasts === null ? "–" : t.overview.days(format.number(summary.lasts)),
      note: summary.lasts === null ? t.overview.noPace : t.overview.lastsAt(money(summary.aDay)),
    },
    {
      title: t.overview.sent,
      value: format.number(summary.sent),
      note: t.overview.today(format.number(summary.sentToday)),
    },
    {
      title: t.overview.rate,
      value: summary.rate === null ? "–" : format.percent(summary.rate),
      note: rateNoteOf(t, format, summary),
    },
  ];
}

/** What the rate counts, and how much of that reached nobody. */
function rateNoteOf(t: Messages, format: Format, { ended, simulated }: ReturnType<typeof summaryOf>): string {
  if (ended === 0) return t.overview.nothingEnded;
  const notes = [t.overview.rateOf(format.number(ended))];
  if (simulated > 0) notes.push(t.overview.rateSimulated(format.number(simulated)));
  return notes.join(" · ");
}

function Scheduled() {
  const t = useMessages();
  const scheduled = useQuery(
    dataQuery(["messages", "scheduled"], "/messages", { query: { status: "SCHEDULED", limit: 5 } }),
  );
  return (
    <section className="card">
      <h2>{t.overview.scheduled}</h2>
      <Loaded query={scheduled}>
        {(messages) =>
          messages.length === 0 ? (
            <p className="faint">{t.overview.noScheduled}</p>
          ) : (
            <>
              <MessageTable caption={t.overview.scheduled} messages={messages} />
              <p>
                <a href={href("/messages", { status: "SCHEDULED" })}>{t.overview.allScheduled}</a>
              </p>
            </>
          )
        }
      </Loaded>
    </section>
  );
}
