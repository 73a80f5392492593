// Another campaign to those whom one did not reach.
import { useQuery } from "@tanstack/react-query";
import { useChange } from "../../api/change.ts";
import { client, dataOf } from "../../api/client.ts";
import { useMay } from "../../api/session-context.ts";
import { goTo, href } from "../../base/router.ts";
import { useTexts } from "../../format/texts.ts";
import { Button } from "../../parts/Button.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { type Campaign, campaignQuery } from "../campaigns/queries.ts";

type Props = { campaign: Campaign };

/** How many certainly do not have it. Of whom no report came, the phone may have it. */
const missedBy = ({ progress: { failures = [] } }: Campaign) =>
  failures.reduce((sum, { error, count }) => (error === "NO_REPORT" ? sum : sum + count), 0);

/** The button, or the way to the campaign that it has made. A campaign is resent once, when it has ended, and a resend is not. */
export function Resend({ campaign }: Props) {
  const maySend = useMay("sms:send");
  const { state, resendOf, resentAs } = campaign;
  if (resentAs) return <ResendLink id={resentAs} />;
  const hasEnded = state === "DONE" || state === "CANCELED";
  if (!maySend || !hasEnded || resendOf || missedBy(campaign) === 0) return null;
  return <ResendButton campaign={campaign} />;
}

/** The way to the resend, which may not have been started yet. */
function ResendLink({ id }: { id: string }) {
  const { t } = useTexts();
  const { data: resend } = useQuery(campaignQuery(id));
  if (!resend) return null;
  return (
    <p>
      <a href={href(`/campaigns/${id}`)}>{resend.startedAt ? t.campaign.toResend : t.campaign.toPrepared}</a>
    </p>
  );
}

function ResendButton({ campaign }: Props) {
  const { t, format } = useTexts();
  const { id, progress } = campaign;
  const resend = useChange({
    ask: () => dataOf(client.POST("/campaigns/{id}/resend", { params: { path: { id } } })),
    stale: [["campaigns"]],
    onDone: (made) => goTo(`/campaigns/${made.id}`),
  });
  return (
    <>
      <p className="hint">
        {t.campaign.resendHint} {progress.open > 0 && t.campaign.resendOpen(format.number(progress.open))}
      </p>
      {resend.error && <ProblemText error={resend.error} />}
      <div className="actions">
        <Button isPending={resend.isPending} onPress={() => resend.mutate()}>
          {t.campaign.resend(format.number(missedBy(campaign)))}
        </Button>
      </div>
    </>
  );
}
