import { useState } from "react";
import { client, dataOf } from "../../api/client.ts";
import { useTexts } from "../../format/texts.ts";
import { ChangeForm } from "../../parts/ChangeForm.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { whenOf } from "../campaigns/draft.ts";
import { LimitFields } from "../campaigns/LimitFields.tsx";
import { type Limits, limitFaultsOf, limitsBodyOf, limitsOf } from "../campaigns/limits.ts";
import { useLine } from "../campaigns/line.ts";
import { type CampaignDetail, campaignQuery } from "../campaigns/queries.ts";
import { isTimeMissing } from "../compose/composition.ts";
import type { When } from "../compose/draft.ts";
import { Moment } from "../compose/Schedule.tsx";
import { sendAtOf } from "../compose/sends.ts";

type Props = { campaign: CampaignDetail; onClose: () => void };

/** Changes what may change after the start, too: the title, the limits, and the time of one that waits for it. */
export function ChangePlan({ campaign, onClose }: Props) {
  const { t, format } = useTexts();
  const [title, setTitle] = useState(campaign.title);
  const [limits, setLimits] = useState(() => limitsOf(campaign, format.digits));
  const when = useWhen(campaign);
  const line = useLine(campaign.sourceNumber);
  const { id } = campaign;
  const name = title.trim();
  const faults = limitFaultsOf(t, limits);
  const body = { title: name, ...limitsBodyOf(limits), ...when.body };
  return (
    <ChangeForm
      title={t.campaign.changeTitle}
      takesFocus
      isWide
      submit={t.campaign.changeSubmit}
      isWhole={name !== "" && !when.isMissing && Object.keys(faults).length === 0}
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
          {when.draft.isLater && (
            <Moment
              draft={when.draft}
              error={isTried && when.isMissing ? t.compose.noTime : undefined}
              onChange={when.change}
            />
          )}
          <LimitFields
            value={limits}
            faults={isTried ? faults : {}}
            lineHours={campaign.message === null ? null : line?.hours}
            onChange={(part: Partial<Limits>) => setLimits((before) => ({ ...before, ...part }))}
          />
        </>
      )}
    </ChangeForm>
  );
}

/** The time of a campaign that waits for it. It goes with the change only if it is another one. */
function useWhen({ state, sendAt }: CampaignDetail) {
  const [first] = useState(() => whenOf(state === "SCHEDULED" ? sendAt : null));
  const [draft, setDraft] = useState(first);
  const isChanged = draft.day !== first.day || draft.time !== first.time;
  const at = sendAtOf(draft);
  return {
    draft,
    isMissing: isChanged && isTimeMissing(draft),
    body: isChanged && at ? { sendAt: at } : {},
    change: (part: Partial<When>) => setDraft((before) => ({ ...before, ...part })),
  };
}
