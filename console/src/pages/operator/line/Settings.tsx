import type { Schemas } from "../../../api/client.ts";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { useSpans } from "../../../format/spans.ts";
import { Changeable } from "../../../parts/Changeable.tsx";
import { type Fact, Facts } from "../../../parts/Facts.tsx";
import { LineBadge } from "../lines/LineBadge.tsx";
import { AccountChips } from "../shared/AccountChips.tsx";
import { coefficients, SettingsForm } from "./SettingsForm.tsx";

export function Settings({ line }: { line: Schemas["Line"] }) {
  const o = useOperatorMessages();
  return (
    <Changeable
      title={o.line.settings}
      change={useMay("admin:carriers") && o.line.change}
      form={(close) => <SettingsForm line={line} onClose={close} />}
    >
      <SettingFacts line={line} />
    </Changeable>
  );
}

function SettingFacts({ line }: { line: Schemas["Line"] }) {
  const { o, format } = useOperatorTexts();
  const { span } = useSpans();
  const { waiting, hours } = line;
  const oldest = waiting.oldestSeconds === null ? "" : ` (${o.carriers.oldest(span(waiting.oldestSeconds))})`;
  const facts: Fact[] = [
    [o.lines.state, <LineBadge key="state" line={line} />],
    [o.carriers.waiting, format.number(waiting.recipients) + oldest],
    [o.lines.operations, line.operations.map((name) => o.operations[name]).join(o.comma)],
    [o.line.cheapest, line.cheapest ? o.yesNo.yes : o.yesNo.no],
    [o.line.class, o.lineClasses[line.class]],
    [o.line.suffix, line.suffix ?? o.line.noSuffix],
    [o.line.hoursOf, hours ? o.line.fromTo(hours.from, hours.to, hours.timeZone) : o.line.allHours],
  ];
  const factors: Fact[] = coefficients.map((name) => [o.coefficients[name], format.number(line.coefficients[name])]);
  return (
    <>
      <Facts facts={facts} />
      <div className="stack">
        <h3>{o.line.coefficients}</h3>
        <Facts facts={factors} />
      </div>
      <div className="stack">
        <h3>{o.lines.accounts}</h3>
        {line.shared && <p>{o.lines.shared}</p>}
        {!line.shared && line.accounts.length === 0 && <p className="faint">{o.line.noAccounts}</p>}
        {line.accounts.length > 0 && <AccountChips ids={line.accounts} />}
      </div>
    </>
  );
}
