// How the sender of a message stops what has not left of it: for good, or for a while.
import { useState } from "react";
import { useChange } from "../../api/change.ts";
import { client, dataOf, type Schemas } from "../../api/client.ts";
import { useMay } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { useTexts } from "../../format/texts.ts";
import { Button } from "../../parts/Button.tsx";
import { Confirm } from "../../parts/ConfirmDialog.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { messageQuery } from "./queries.ts";
import { Stopped } from "./Stopped.tsx";

type Message = Schemas["MessageDetail"];
type Canceled = Schemas["CanceledMessage"];

const waitingOf = ({ counts }: Message) => (counts.SCHEDULED ?? 0) + (counts.QUEUED ?? 0);

/** A code is taken back with its verification, and a wave stops with its campaign. */
const stopsElsewhere = ({ type, campaign }: Message) => type === "VERIFY" || type === "SIGN_IN" || Boolean(campaign);

export function Acts({ message }: { message: Message }) {
  const t = useMessages();
  const [isAsking, setIsAsking] = useState(false);
  const [canceled, setCanceled] = useState<Canceled | null>(null);
  const maySend = useMay("sms:send");
  const canStop = maySend && !stopsElsewhere(message) && !canceled && waitingOf(message) > 0;
  return (
    <>
      {canStop && (
        <div className="actions">
          <PauseButton message={message} />
          <Button kind="danger" onPress={() => setIsAsking(true)}>
            {t.message.cancel}
          </Button>
        </div>
      )}
      <Stopped message={message} canceled={canceled} />
      {isAsking && <CancelDialog message={message} onCanceled={setCanceled} onClose={() => setIsAsking(false)} />}
    </>
  );
}

/** Pauses the message, or lets a paused one go on. */
function PauseButton({ message: { uid, paused } }: { message: Message }) {
  const t = useMessages();
  const params = { path: { uid } };
  const turn = useChange({
    ask: () => dataOf(client.POST(paused ? "/messages/{uid}/resume" : "/messages/{uid}/pause", { params })),
    stale: [["account"], ["messages"]],
    replaces: messageQuery(uid),
  });
  return (
    <>
      {turn.error && <ProblemText error={turn.error} />}
      <Button kind="quiet" isPending={turn.isPending} onPress={() => turn.mutate()}>
        {paused ? t.message.resume : t.message.pause}
      </Button>
    </>
  );
}

type DialogProps = { message: Message; onCanceled: (canceled: Canceled) => void; onClose: () => void };

/** Says in numbers what a cancel does before it is done. */
function CancelDialog({ message, onCanceled, onClose }: DialogProps) {
  const { t, format } = useTexts();
  const { uid, counts, recipientCount, reserved, unit } = message;
  const waiting = waitingOf(message);
  const left = recipientCount - waiting - (counts.CANCELED ?? 0);
  const people = format.number(waiting);
  return (
    <Confirm
      title={t.message.cancelTitle}
      submit={t.message.cancelSubmit(people)}
      keep={t.message.keep}
      kind="danger"
      ask={() => dataOf(client.DELETE("/messages/{uid}", { params: { path: { uid } } }))}
      stale={[["account"], ["messages"]]}
      replaces={messageQuery(uid)}
      onDone={(canceled) => {
        onCanceled(canceled);
        onClose();
      }}
      onClose={onClose}
    >
      <p>{t.message.cancelText(people, format.money(reserved, unit))}</p>
      {left > 0 && <p>{t.message.cancelLeft(format.number(left))}</p>}
      {counts.QUEUED ? <p className="hint">{t.message.cancelCarriers}</p> : null}
    </Confirm>
  );
}
