import { useQuery } from "@tanstack/react-query";
import { client, dataOf } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { goTo } from "../../base/router.ts";
import { Loaded } from "../../parts/Loaded.tsx";
import { Page } from "../../parts/Page.tsx";
import { CampaignForm } from "../campaigns/CampaignForm.tsx";
import { useDraftOf } from "../campaigns/draft.ts";
import { type CampaignDetail, campaignQuery } from "../campaigns/queries.ts";
import { isEditable } from "./changes.ts";

export default function EditCampaign({ id }: { id: string }) {
  const t = useMessages();
  const campaign = useQuery(campaignQuery(id));
  const title = campaign.data?.title;
  return (
    <Page
      title={title ? t.campaign.editTitle(title) : t.campaign.edit}
      back={[`/campaigns/${id}`, t.campaign.toCampaign]}
      scope="sms:send"
    >
      <Loaded query={campaign}>
        {(campaign) =>
          isEditable(campaign) ? <Editor campaign={campaign} /> : <p className="note">{t.campaign.notEditable}</p>
        }
      </Loaded>
    </Page>
  );
}

function Editor({ campaign }: { campaign: CampaignDetail }) {
  const { id } = campaign;
  return (
    <CampaignForm
      draft={useDraftOf(campaign)}
      ask={(body) => dataOf(client.PATCH("/campaigns/{id}", { params: { path: { id } }, body }))}
      onCancel={() => goTo(`/campaigns/${id}`)}
    />
  );
}
