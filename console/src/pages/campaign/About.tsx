import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "../../api/session-context.ts";
import type { Messages } from "../../base/messages.ts";
import { href } from "../../base/router.ts";
import type { Format } from "../../format/format.ts";
import { useTexts } from "../../format/texts.ts";
import { Button } from "../../parts/Button.tsx";
import { Code } from "../../parts/Code.tsx";
import { useShownText } from "../../parts/erased.ts";
import { type Fact, Facts } from "../../parts/Facts.tsx";
import { hoursOf, useLine } from "../campaigns/line.ts";
import type { CampaignDetail } from "../campaigns/queries.ts";
import { allPhonebooksQuery } from "../compose/queries.ts";
import { ChangePlan } from "./ChangePlan.tsx";
import { isChangeable, isEditable } from "./changes.ts";
import { conditionOf } from "./condition.ts";

type Props = { campaign: CampaignDetail };

/** What it sends, to whom, and how fast. */
export function About({ campaign }: Props) {
  const { t } = useTexts();
  const [isChanging, setIsChanging] = useState(false);
  const mayChange = useMay("sms:send") && isChangeable(campaign);
  if (isChanging && mayChange) return <ChangePlan campaign={campaign} onClose={() => setIsChanging(false)} />;
  return (
    <section className="card stack">
      <div className="heading">
        <h2>{t.campaign.about}</h2>
        {mayChange && <ChangeWay campaign={campaign} onChange={() => setIsChanging(true)} />}
      </div>
      <Content campaign={campaign} />
      <Plan campaign={campaign} />
    </section>
  );
}

/** The way to the form of the whole campaign, or to that of what can be changed yet. */
function ChangeWay({ campaign, onChange }: Props & { onChange: () => void }) {
  const { t } = useTexts();
  if (isEditable(campaign))
    return (
      <a className="button quiet" href={href(`/campaigns/${campaign.id}/edit`)}>
        {t.campaign.edit}
      </a>
    );
  return (
    <Button kind="quiet" onPress={onChange}>
      {t.campaign.change}
    </Button>
  );
}

function Content({ campaign: { message, pattern, variables = {} } }: Props) {
  const { t } = useTexts();
  const shown = useShownText();
  if (message !== null) return <p className="message-text" {...shown(message)} />;
  const slug = pattern ?? "";
  const values = Object.entries(variables).map(([name, value]): Fact => [name, <bdi key={name}>{value}</bdi>]);
  return (
    <>
      <p>
        {t.campaign.pattern}: <a href={href(`/patterns/${slug}`)}>{slug}</a>
      </p>
      {values.length > 0 && <Facts facts={values} />}
    </>
  );
}

function Plan({ campaign }: Props) {
  const { t, format } = useTexts();
  const titlesOf = useTitles();
  const [line, hours] = [useLineName(campaign), useHours(campaign)];
  const { sendAt, perMinute, budget, unit, guard, exclude, startedAt, endedAt } = campaign;
  const { phonebooks, numbers } = exclude;
  const facts: Fact[] = [
    [t.campaign.phonebooks, titlesOf(campaign.phonebooks)],
    [t.campaign.line, line],
    [t.campaign.sendAt, sendAt ? format.moment(sendAt) : t.campaign.atOnce],
    [t.campaign.window, hours],
    [t.campaign.perMinute, perMinute ? t.campaign.atMost(format.number(perMinute)) : t.campaign.fast],
    [t.campaign.budget, budget ? format.money(budget, unit) : t.campaign.noBudget],
    [t.campaign.guard, guard ? guardOf(t, format, guard) : t.campaign.noGuard],
    [t.campaign.made, format.moment(campaign.createdAt)],
  ];
  if (campaign.where) facts.splice(1, 0, [t.campaign.conditions, conditionOf(t, campaign.where)]);
  if (phonebooks.length > 0) facts.push([t.campaign.exceptBooks, titlesOf(phonebooks)]);
  if (numbers.length > 0) facts.push([t.campaign.exceptNumbers, t.phonebook.numbers(format.number(numbers.length))]);
  if (startedAt) facts.push([t.campaign.started, format.moment(startedAt)]);
  if (endedAt) facts.push([t.campaign.over, format.moment(endedAt)]);
  return <Facts facts={facts} />;
}

/** The line that it goes from, by its number as far as the person may know it. */
function useLineName({ sourceNumber }: CampaignDetail) {
  const { t, format } = useTexts();
  const line = useLine(sourceNumber);
  if (sourceNumber) return <Code>{format.digits(sourceNumber)}</Code>;
  return line ? t.compose.default(`\u2066${format.digits(line.number)}\u2069`) : t.campaign.defaultLine;
}

/** The hours in which it goes out: its own, and for a text those of its line. */
function useHours({ sourceNumber, window, message }: CampaignDetail) {
  const { t, format } = useTexts();
  const line = useLine(sourceNumber);
  const [own, others] = [window, message === null ? null : line?.hours].map(
    (hours) => hours && hoursOf(t, format, hours),
  );
  if (own) return others ? t.campaign.windowInLine(own, others) : own;
  if (others) return t.campaign.windowOfLine(others);
  return message === null || line ? t.campaign.allHours : t.campaign.noWindow;
}

function guardOf(t: Messages, format: Format, guard: NonNullable<CampaignDetail["guard"]>) {
  const { failedShare, optOutShare, after } = guard;
  const shares = [
    failedShare && t.campaign.failedShare(format.percent(failedShare / 100)),
    optOutShare && t.campaign.optOutShare(format.percent(optOutShare / 100)),
  ];
  return t.campaign.guardOf(shares.filter(Boolean).join(t.campaign.anyOf), format.number(after));
}

/** The titles of phonebooks, or how many they are for who may not see them. */
function useTitles() {
  const { t, format } = useTexts();
  const { data: books = [] } = useQuery({ ...allPhonebooksQuery, enabled: useMay("phonebook") });
  return (ids: string[]) => {
    const titles = books.flatMap(({ id, title }) => (ids.includes(id) ? [`\u2068${title}\u2069`] : []));
    return titles.length === ids.length ? titles.join(t.form.comma) : t.campaign.booksOf(format.number(ids.length));
  };
}
