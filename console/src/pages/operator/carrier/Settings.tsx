import { useState } from "react";
import type { Schemas } from "../../../api/client.ts";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Button } from "../../../parts/Button.tsx";
import { Code } from "../../../parts/Code.tsx";
import { type Fact, Facts } from "../../../parts/Facts.tsx";
import { Form } from "../../../parts/Form.tsx";
import { FormActions } from "../../../parts/FormActions.tsx";
import { labelOf, SettingFields } from "../carriers/SettingFields.tsx";
import { changedSettings, draftOf, type Setting, settingsOf } from "../carriers/settings.ts";
import { useCarrierChange } from "../queries.ts";

type Carrier = Schemas["Carrier"];

const setOf = (carrier: Carrier): Record<string, unknown> =>
  carrier.kind === "smpp" ? carrier.smpp : carrier.kind === "http" ? carrier.http : carrier.sandbox;

export function Settings({ carrier }: { carrier: Carrier }) {
  const o = useOperatorMessages();
  const mayChange = useMay("admin:carriers");
  const [isChanging, setIsChanging] = useState(false);
  return (
    <section className="card stack">
      <div className="heading">
        <h2>{o.carrier.settings}</h2>
        {mayChange && !isChanging && (
          <Button kind="quiet" onPress={() => setIsChanging(true)}>
            {o.carrier.change}
          </Button>
        )}
      </div>
      {isChanging ? (
        <ChangeForm carrier={carrier} onClose={() => setIsChanging(false)} />
      ) : (
        <SettingFacts carrier={carrier} />
      )}
    </section>
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

function ChangeForm({ carrier, onClose }: { carrier: Carrier; onClose: () => void }) {
  const o = useOperatorMessages();
  const { kind } = carrier;
  const [before] = useState(() => draftOf(kind, setOf(carrier)));
  const [draft, setDraft] = useState(before);
  const change = useCarrierChange(carrier.name, onClose);
  const changed = changedSettings(kind, before, draft);
  const submit = () => {
    if (Object.keys(changed).length === 0) onClose();
    else change.mutate({ [kind]: changed } as Schemas["CarrierChange"]);
  };
  return (
    <Form onSubmit={submit}>
      <SettingFields kind={kind} draft={draft} error={change.error} hasPassword onChange={setDraft} />
      <p className="note">{kind === "smpp" ? o.carrier.changeSmpp : o.carrier.changeOther}</p>
      <FormActions submit={o.carrier.save} change={change} onCancel={onClose} />
    </Form>
  );
}
