import { useState } from "react";
import { client, dataOf } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { ChangeForm } from "../../parts/ChangeForm.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { LimitFields } from "../campaigns/LimitFields.tsx";
import { type Limits, limitFaultsOf, limitsBodyOf, limitsOf } from "../campaigns/limits.ts";
import { type CampaignDetail, campaignQuery } from "../campaigns/queries.ts";

/** Changes what may change after the start, too: the title and the limits. */
export function ChangePlan({ campaign, onClose }: { campaign: CampaignDetail; onClose: () => void }) {
  const t = useMessages();
  const [title, setTitle] = useState(campaign.title);
  const [limits, setLimits] = useState(() => limitsOf(campaign));
  const { id } = campaign;
  const name = title.trim();
  const faults = limitFaultsOf(t, limits);
  const body = { title: name, ...limitsBodyOf(limits) };
  return (
    <ChangeForm
      title={t.campaign.changeTitle}
      takesFocus
      isWide
      submit={t.campaign.changeSubmit}
      isWhole={name !== "" && Object.keys(faults).length === 0}
      ask={() => dataOf(client.PATCH("/campaigns/{id}", { params: { path: { id } }, body }))}
      stale={[["campaigns"]]}
      replaces={campaignQuery(id)}
      onClose={onClose}
    >
      {(isTried) => (
        <>
          <TextField
            label={t.campaigns.name}
            error={isTried && name === "" ? t.campaigns.noName : undefined}
            value={title}
            onChange={setTitle}
            maxLength={200}
          />
          <LimitFields
            value={limits}
            faults={isTried ? faults : {}}
            onChange={(part: Partial<Limits>) => setLimits((before) => ({ ...before, ...part }))}
          />
        </>
      )}
    </ChangeForm>
  );
}
