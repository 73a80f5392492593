import { useQuery } from "@tanstack/react-query";
import { useMay, useSession } from "../../api/session-context.ts";
import { useTexts } from "../../format/texts.ts";
import { Facts } from "../../parts/Facts.tsx";
import { accountQuery } from "../overview/queries.ts";
import { Cheaper } from "./Cheaper.tsx";
import type { Counted } from "./counting.ts";
import { EncodingNote } from "./EncodingNote.tsx";

/** The currency of a tariff is that of the account. */
const iranian = "IRR";

type Props = { counted: Counted; text: string; onUse: ((text: string) => void) | undefined };

/** What the text takes and costs, with each key stroke. */
export function CountCard({ counted: { count, recipients }, text, onUse }: Props) {
  const { t, format } = useTexts();
  const isLive = useSession().mode === "live";
  const { data: account } = useQuery({ ...accountQuery, enabled: useMay("account:read") });
  const unit = account?.wallet.unit ?? iranian;
  const barred = recipients.filter((recipient) => "fault" in recipient).length;
  const left = account && isLive ? account.wallet.availableBalance - count.cost : null;
  const facts: [string, string][] = [
    [t.compose.parts, t.message.partsOf(format.number(count.parts), count.encoding)],
    [t.compose.unitsLeft, format.number(count.unitsLeft)],
  ];
  if (count.recipients > 0) {
    facts.unshift([t.compose.people, format.number(count.recipients)]);
    facts.push([t.compose.cost, format.money(count.cost, unit)]);
    if (left !== null && left >= 0) facts.push([t.compose.left, format.money(left, unit)]);
  }
  return (
    <>
      <Facts facts={facts} />
      <EncodingNote encoding={count.encoding} />
      {count.operators.length > 0 && (
        <ul className="legend">
          {count.operators.map(({ operator, recipients }) => (
            <li key={operator}>
              {t.operators[operator]} <b>{format.number(recipients)}</b>
            </li>
          ))}
        </ul>
      )}
      {count.suffix && <p className="hint">{t.compose.suffix(count.suffix)}</p>}
      {count.tooLong && <p className="bad">{t.compose.tooLong}</p>}
      {barred > 0 && <p className="bad">{t.compose.barred(format.number(barred))}</p>}
      {left !== null && left < 0 && <p className="bad">{t.compose.notEnough(format.money(-left, unit))}</p>}
      {onUse && <Cheaper alternatives={count.alternatives} cost={count.cost} unit={unit} text={text} onUse={onUse} />}
    </>
  );
}
