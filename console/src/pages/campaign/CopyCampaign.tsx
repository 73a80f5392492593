import { useQuery } from "@tanstack/react-query";
import { client, dataOf } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { goTo } from "../../base/router.ts";
import { Loaded } from "../../parts/Loaded.tsx";
import { Page } from "../../parts/Page.tsx";
import { CampaignForm } from "../campaigns/CampaignForm.tsx";
import { useDraftOf } from "../campaigns/draft.ts";
import { type CampaignDetail, campaignQuery } from "../campaigns/queries.ts";

/** The form of a new campaign with all that another one has, but its time. */
export default function CopyCampaign({ id }: { id: string }) {
  const t = useMessages();
  const campaign = useQuery(campaignQuery(id));
  const title = campaign.data?.title;
  return (
    <Page
      title={title ? t.campaign.copyTitle(title) : t.campaign.copy}
      back={[`/campaigns/${id}`, t.campaign.toCampaign]}
      scope="sms:send"
    >
      <Loaded query={campaign}>{(campaign) => <Copier campaign={campaign} />}</Loaded>
    </Page>
  );
}

function Copier({ campaign }: { campaign: CampaignDetail }) {
  const t = useMessages();
  return (
    <CampaignForm
      draft={useDraftOf({ ...campaign, sendAt: null })}
      hint={t.campaign.copyHint}
      ask={(body) => dataOf(client.POST("/campaigns", { body }))}
      onCancel={() => goTo(`/campaigns/${campaign.id}`)}
    />
  );
}
