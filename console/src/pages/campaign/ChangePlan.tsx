import { useState } from "react";
import { client, dataOf } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { ChangeForm } from "../../parts/ChangeForm.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { wholeOf } from "../../parts/whole.ts";
import { isBound, isPace } from "../campaigns/faults.ts";
import { Bounds } from "../campaigns/Pace.tsx";
import { type Campaign, campaignQuery } from "../campaigns/queries.ts";

/** Changes what may change after the start, too: the title, the pace and the budget. */
export function ChangePlan({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const t = useMessages();
  const [value, setValue] = useState({
    title: campaign.title,
    perMinute: String(campaign.perMinute ?? ""),
    budget: String(campaign.budget ?? ""),
  });
  const change = (part: Partial<typeof value>) => setValue((before) => ({ ...before, ...part }));
  const { id } = campaign;
  const title = value.title.trim();
  const body = { title, perMinute: wholeOf(value.perMinute), budget: wholeOf(value.budget) };
  const faults = {
    ...(title === "" && { title: t.campaigns.noName }),
    ...(!isPace(value.perMinute) && { perMinute: t.newCampaign.badPerMinute }),
    ...(!isBound(value.budget) && { budget: t.newCampaign.badBudget }),
  };
  return (
    <ChangeForm
      title={t.campaign.changeTitle}
      takesFocus
      isWide
      submit={t.campaign.changeSubmit}
      isWhole={Object.keys(faults).length === 0}
      ask={() => dataOf(client.PATCH("/campaigns/{id}", { params: { path: { id } }, body }))}
      stale={[["campaigns"]]}
      replaces={campaignQuery(id)}
      onClose={onClose}
    >
      {(isTried) => (
        <>
          <TextField
            label={t.campaigns.name}
            error={isTried ? faults.title : undefined}
            value={value.title}
            onChange={(title) => change({ title })}
            maxLength={200}
          />
          <Bounds value={value} faults={isTried ? faults : {}} onChange={change} />
        </>
      )}
    </ChangeForm>
  );
}
