// How the sender of a campaign steers it: for a while, for good, or out of the list.
import { useChange } from "../../api/change.ts";
import { client, dataOf } from "../../api/client.ts";
import { useMay } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { href } from "../../base/router.ts";
import { useTexts } from "../../format/texts.ts";
import { Button } from "../../parts/Button.tsx";
import { Confirm } from "../../parts/ConfirmDialog.tsx";
import { DialogButton } from "../../parts/DialogButton.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { sentOf, waitingOf } from "../campaigns/numbers.ts";
import { type Campaign, campaignQuery } from "../campaigns/queries.ts";

type Props = { campaign: Campaign };

/** What follows from a step: the campaign is another one, and so are money and messages. */
const stale = [["account"], ["campaigns"], ["messages"]];

const steps: Partial<Record<Campaign["state"], "pause" | "resume">> = {
  SCHEDULED: "pause",
  RUNNING: "pause",
  PAUSED: "resume",
  STOPPED: "resume",
};

export function Acts({ campaign }: Props) {
  const t = useMessages();
  if (!useMay("sms:send")) return null;
  const { id, state } = campaign;
  const step = steps[state];
  return (
    <div className="actions">
      <a className="button quiet" href={href(`/campaigns/${id}/copy`)}>
        {t.campaign.copy}
      </a>
      {step ? (
        <DialogButton
          text={t.campaign.cancel}
          isBad
          dialog={(close) => <CancelDialog campaign={campaign} onClose={close} />}
        />
      ) : (
        <DialogButton
          text={t.campaign.delete}
          isBad
          dialog={(close) => <DeleteDialog campaign={campaign} onClose={close} />}
        />
      )}
      {step && !isLost(campaign) && <StepButton campaign={campaign} step={step} />}
    </div>
  );
}

/** Whether it could only come to the same stop again: what it goes to is gone, and does not come back. */
const isLost = ({ state, reason }: Campaign) => state === "PAUSED" && reason === "NO_PHONEBOOK";

/** Pauses the campaign, or lets one go on that stands still. */
function StepButton({ campaign: { id }, step }: Props & { step: "pause" | "resume" }) {
  const t = useMessages();
  const params = { path: { id } };
  const turn = useChange({
    ask: () => dataOf(client.POST(step === "pause" ? "/campaigns/{id}/pause" : "/campaigns/{id}/resume", { params })),
    stale,
    replaces: campaignQuery(id),
  });
  return (
    <>
      {turn.error && <ProblemText error={turn.error} />}
      <Button kind={step === "resume" ? "main" : "quiet"} isPending={turn.isPending} onPress={() => turn.mutate()}>
        {t.campaign.steps[step]}
      </Button>
    </>
  );
}

type DialogProps = Props & { onClose: () => void };

/** Says in numbers what a cancel does before it is done. */
function CancelDialog({ campaign, onClose }: DialogProps) {
  const { t, format } = useTexts();
  const { id, progress } = campaign;
  const { sent } = sentOf(campaign);
  return (
    <Confirm
      title={t.campaign.cancelTitle}
      submit={t.campaign.cancel}
      keep={t.campaign.keep}
      kind="danger"
      ask={() => dataOf(client.POST("/campaigns/{id}/cancel", { params: { path: { id } } }))}
      stale={stale}
      replaces={campaignQuery(id)}
      onClose={onClose}
    >
      <p>{t.campaign.cancelText(format.number(waitingOf(campaign) + progress.queued))}</p>
      {sent > 0 && <p>{t.campaign.cancelLeft(format.number(sent))}</p>}
    </Confirm>
  );
}

function DeleteDialog({ campaign: { id, title }, onClose }: DialogProps) {
  const t = useMessages();
  return (
    <Confirm
      title={t.campaign.deleteTitle(title)}
      submit={t.campaign.deleteSubmit}
      kind="danger"
      ask={() => client.DELETE("/campaigns/{id}", { params: { path: { id } } })}
      deletes={campaignQuery(id)}
      onClose={onClose}
    >
      <p>{t.campaign.deleteText}</p>
    </Confirm>
  );
}
