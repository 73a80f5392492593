import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "../../api/change.ts";
import { useMessages } from "../../base/messages.ts";
import { goTo } from "../../base/router.ts";
import { Form } from "../../parts/Form.tsx";
import { FormActions } from "../../parts/FormActions.tsx";
import { RadioChoice } from "../../parts/RadioChoice.tsx";
import { choicesOf } from "../../parts/Select.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { Content } from "../compose/Content.tsx";
import { LineSelect } from "../compose/LineSelect.tsx";
import { Audience } from "./Audience.tsx";
import { type Body, bodyOf } from "./body.ts";
import type { DraftState } from "./draft.ts";
import { type PartProps, useFaults } from "./faults.ts";
import { Pace } from "./Pace.tsx";
import { Price } from "./Price.tsx";
import { type CampaignDetail, campaignQuery } from "./queries.ts";

type Props = {
  draft: DraftState;
  /** What becomes of the draft until it is saved. */
  hint?: string;
  /** Makes the campaign, or changes it. */
  ask: (body: Body) => Promise<CampaignDetail>;
  onSaved?: () => void;
  onCancel?: () => void;
};

/** All of a campaign that was not started: of a new one, or of a saved one. */
export function CampaignForm({ draft: { value: draft, change }, hint, ask, onSaved, onCancel }: Props) {
  const t = useMessages();
  const [isTried, setIsTried] = useState(false);
  const found = useFaults(draft);
  const save = useSave(() => ask(bodyOf(draft, found.audience)), onSaved);
  const submit = () => {
    setIsTried(true);
    if (found.isWhole) save.mutate();
  };
  const part: PartProps = {
    draft: { ...draft, phonebooks: found.audience.phonebooks },
    faults: isTried ? found.faults : {},
    onChange: (part) => {
      save.reset();
      change(part);
    },
  };
  return (
    <div className="compose">
      <Form onSubmit={submit}>
        <section className="card">
          <TextField
            label={t.campaigns.name}
            hint={t.campaigns.nameHint}
            error={part.faults.title}
            value={draft.title}
            onChange={(title) => part.onChange({ title })}
            maxLength={200}
          />
        </section>
        <Audience {...part} />
        <What {...part} found={found} isTried={isTried} />
        <Pace {...part} />
        <p className="hint">
          {t.newCampaign.saveHint} {hint}
        </p>
        <FormActions
          submit={t.newCampaign.save}
          change={{ ...save, isPending: save.isPending || found.isLoading }}
          onCancel={onCancel}
        />
      </Form>
      <Price draft={part.draft} found={found} onUse={(text) => part.onChange({ text })} />
    </div>
  );
}

/** Saves the campaign, and shows it as it stands then. */
function useSave(ask: () => Promise<CampaignDetail>, onSaved: (() => void) | undefined) {
  const queryClient = useQueryClient();
  return useChange({
    ask,
    stale: [["campaigns"]],
    onDone: (campaign) => {
      queryClient.setQueryData(campaignQuery(campaign.id).queryKey, campaign);
      onSaved?.();
      goTo(`/campaigns/${campaign.id}`);
    },
  });
}

type WhatProps = PartProps & { found: ReturnType<typeof useFaults>; isTried: boolean };

/** A text or a pattern, and the line that it goes from. */
function What({ draft, found, isTried, onChange }: WhatProps) {
  const t = useMessages();
  const { version, pattern } = found;
  return (
    <section className="card stack">
      <h2>{t.newCampaign.content}</h2>
      <RadioChoice
        label={t.newCampaign.kind}
        value={draft.kind}
        choices={choicesOf(t.newCampaign.kinds)}
        onChange={(kind) => onChange({ kind })}
      />
      <Content draft={draft} composition={found} isTried={isTried} onChange={onChange} />
      <LineSelect
        value={draft.line}
        operation={draft.kind === "pattern" ? "PATTERN" : "WEBSERVICE"}
        only={version && pattern?.lines}
        onChange={(line) => onChange({ line })}
      />
    </section>
  );
}
