import { useQuery } from "@tanstack/react-query";
import { useMessages } from "../../base/messages.ts";
import { href } from "../../base/router.ts";
import { Loaded } from "../../parts/Loaded.tsx";
import { Page } from "../../parts/Page.tsx";
import { CampaignBadge } from "../campaigns/CampaignBadge.tsx";
import { type CampaignDetail, campaignQuery } from "../campaigns/queries.ts";
import { About } from "./About.tsx";
import { Acts } from "./Acts.tsx";
import { Failures } from "./Failures.tsx";
import { LastLook } from "./LastLook.tsx";
import { People } from "./People.tsx";
import { Progress } from "./Progress.tsx";
import { useWait } from "./wait.ts";

export default function CampaignPage({ id }: { id: string }) {
  const t = useMessages();
  const campaign = useQuery(campaignQuery(id));
  return (
    <Page
      title={campaign.data?.title ?? t.campaign.one}
      back={["/campaigns", t.campaign.back]}
      scope="sms:read"
      acts={campaign.data && <Acts campaign={campaign.data} />}
    >
      <Loaded query={campaign}>
        {(campaign) => (
          <>
            <Standing campaign={campaign} />
            {campaign.startedAt ? <Progress campaign={campaign} /> : <LastLook campaign={campaign} />}
            <Failures campaign={campaign} />
            <About campaign={campaign} />
            {campaign.progress.waves > 0 && <People campaign={campaign} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** How far it has come, and why it is there, in words. */
function Standing({ campaign }: { campaign: CampaignDetail }) {
  const t = useMessages();
  const { state, reason, test, simulated, resendOf } = campaign;
  const wait = useWait(campaign);
  return (
    <div className="note" role="status">
      <p>
        <CampaignBadge of={campaign} /> {t.campaigns.meaning[state]}
      </p>
      {reason && (
        <p>
          {state === "DRAFT" && t.campaign.notCounted} {t.campaigns.why[reason]}{" "}
          {state === "PAUSED" && reason === "NO_PHONEBOOK" && t.campaign.goneBook}
        </p>
      )}
      {wait && <p>{wait}</p>}
      {resendOf && (
        <p>
          {t.campaign.isResend} <a href={href(`/campaigns/${resendOf}`)}>{t.campaign.toFirst}</a>
        </p>
      )}
      {test && <p>{t.campaign.test}</p>}
      {simulated && !test && <p>{t.campaign.simulated}</p>}
    </div>
  );
}
