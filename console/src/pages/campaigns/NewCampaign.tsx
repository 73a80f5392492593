import { client, dataOf } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { Page } from "../../parts/Page.tsx";
import { CampaignForm } from "./CampaignForm.tsx";
import { useNewDraft } from "./draft.ts";

export default function NewCampaign() {
  const t = useMessages();
  return (
    <Page title={t.newCampaign.title} back={["/campaigns", t.campaign.back]} scope="sms:send">
      <Composer />
    </Page>
  );
}

function Composer() {
  const t = useMessages();
  const draft = useNewDraft();
  return (
    <CampaignForm
      draft={draft}
      hint={t.newCampaign.kept}
      ask={(body) => dataOf(client.POST("/campaigns", { body }))}
      onSaved={draft.forget}
    />
  );
}
