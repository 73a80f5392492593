import { useState } from "react";
import type { ChangeOptions } from "../../../api/change.ts";
import type { Schemas } from "../../../api/client.ts";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Changeable } from "../../../parts/Changeable.tsx";
import { ChangeForm } from "../../../parts/ChangeForm.tsx";
import { Code } from "../../../parts/Code.tsx";
import { type Fact, Facts } from "../../../parts/Facts.tsx";
import { labelOf, SettingFields } from "../carriers/SettingFields.tsx";
import { changedSettings, draftOf, type Setting, settingsOf } from "../carriers/settings.ts";
import { carrierChange } from "../queries.ts";

type Carrier = Schemas["Carrier"];

const setOf = (carrier: Carrier): Record<string, unknown> =>
  carrier.kind === "smpp" ? carrier.smpp : carrier.kind === "http" ? carrier.http : carrier.sandbox;

export function Settings({ carrier }: { carrier: Carrier }) {
  const o = useOperatorMessages();
  return (
    <Changeable
      title={o.carrier.settings}
      change={useMay("admin:carriers") && o.carrier.change}
      form={(close) => <SettingsForm carrier={carrier} onClose={close} />}
    >
      <SettingFacts carrier={carrier} />
    </Changeable>
  );
}

function SettingFacts({ carrier }: { carrier: Carrier }) {
  const { o, format } = useOperatorTexts();
  const draft = draftOf(carrier.kind, setOf(carrier));
  const shown = ({ name, form }: Setting) => {
    if (form === "secret") return "••••";
    if (form === "yesNo") return draft[name] === "true" ? o.yesNo.yes : o.yesNo.no;
    return draft[name] ? <Code>{form === "number" ? format.digits(draft[name]) : draft[name]}</Code> : "–";
  };
  const settings: Setting[] = settingsOf[carrier.kind];
  const facts: Fact[] = settings.map((setting) => [labelOf(o, carrier.kind, setting.name), shown(setting)]);
  return (
    <>
      <Facts facts={facts} />
      {carrier.kind === "http" && carrier.inboundUrl && <InboundAddress url={carrier.inboundUrl} />}
    </>
  );
}

function InboundAddress({ url }: { url: string }) {
  const o = useOperatorMessages();
  return (
    <div>
      <h3>{o.carrier.inboundUrl}</h3>
      <p className="hint">{o.carrier.inboundUrlText}</p>
      <Code className="uid">{url}</Code>
    </div>
  );
}

function SettingsForm({ carrier, onClose }: { carrier: Carrier; onClose: () => void }) {
  const o = useOperatorMessages();
  const { kind, name } = carrier;
  const [before] = useState(() => draftOf(kind, setOf(carrier)));
  const [draft, setDraft] = useState(before);
  const changed = changedSettings(kind, before, draft);
  const hasChanged = Object.keys(changed).length > 0;
  const change: ChangeOptions<unknown> = hasChanged
    ? carrierChange(name, { [kind]: changed } as Schemas["CarrierChange"])
    : { ask: async () => null };
  return (
    <ChangeForm submit={o.carrier.save} {...change} onClose={onClose}>
      {(_, error) => (
        <>
          <SettingFields kind={kind} draft={draft} error={error} hasPassword onChange={setDraft} />
          <p className="note">{kind === "smpp" ? o.carrier.changeSmpp : o.carrier.changeOther}</p>
        </>
      )}
    </ChangeForm>
  );
}
