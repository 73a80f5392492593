import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "../../api/change.ts";
import { isRefusal } from "../../api/problem.ts";
import { goTo } from "../../base/router.ts";
import { useTexts } from "../../format/texts.ts";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { directionOf } from "../../parts/direction.ts";
import { Notes } from "./Notes.tsx";
import { type Estimate, keyOf, type Send, send } from "./queries.ts";
import { sumOf } from "./sum.ts";

/** What is looked over, as it was when its price was asked for. */
export type Look = {
  sends: Send[];
  estimates: Estimate[];
  text: string;
  /** Whether each recipient gets a text of its own. */
  isPersonal: boolean;
  sendAt: string | undefined;
  id: string;
};

type Props = {
  look: Look;
  /** Of this message no answer has come yet; of `null`: each has one. */
  onWait: (message: Send | null) => void;
  onGone: (sent: Send) => void;
  onSent: () => void;
  onClose: () => void;
};

/** Whom it goes to and what it costs, before it goes. */
export function LastLook({ look, onWait, onGone, onSent, onClose }: Props) {
  const { t, format } = useTexts();
  const queryClient = useQueryClient();
  const [gone, setGone] = useState(0);
  const sendOne = async (message: Send) => {
    onWait(message);
    try {
      return await send(message, await keyOf(look.id, message));
    } catch (error) {
      if (isRefusal(error)) onWait(null);
      throw error;
    }
  };
  const sendAll = async () => {
    const uids: string[] = [];
    for (const message of look.sends.slice(gone)) {
      uids.push((await sendOne(message)).uid);
      setGone((count) => count + 1);
      onGone(message);
    }
    return uids;
  };
  const go = useChange({
    // What has gone before one fails counts too.
    ask: () =>
      sendAll().finally(() => {
        void queryClient.invalidateQueries({ queryKey: ["account"] });
        void queryClient.invalidateQueries({ queryKey: ["messages"] });
      }),
    onDone: ([uid]) => {
      onSent();
      goTo(look.sends.length === 1 ? `/messages/${uid}` : "/messages");
    },
  });
  const left = look.estimates.slice(gone);
  const sum = sumOf(left);
  const people = format.number(sum.recipients);
  const money = format.money(sum.cost, sum.unit);
  const [sample] = sum.samples;
  return (
    <ConfirmDialog
      title={t.compose.lookTitle}
      submit={go.isPending ? t.compose.sending : t.compose.submit(people)}
      keep={t.compose.back}
      change={go}
      onSubmit={() => go.mutate()}
      onClose={onClose}
    >
      <p>
        {sum.test
          ? t.compose.lookTest(people)
          : look.sendAt
            ? t.compose.lookLater(people, format.moment(look.sendAt), money)
            : t.compose.lookText(people, money)}
      </p>
      {sum.suffix && <p className="note">{t.compose.suffix(sum.suffix)}</p>}
      {sum.waitsUntil && <p className="note">{t.message.waitsForHours(format.moment(sum.waitsUntil))}</p>}
      {sum.skipped > 0 && <p className="note">{t.compose.skipped(format.number(sum.skipped))}</p>}
      {left.length > 1 && <p className="note">{t.compose.lookSeveral(format.number(left.length))}</p>}
      {gone > 0 && <p className="note">{t.compose.gone(format.number(gone), format.number(look.sends.length))}</p>}
      <Notes of={sum.warnings} />
      <p className="message-text" dir={directionOf(look.text)}>
        {sample ?? look.text}
      </p>
      <p className="hint">
        {[
          t.compose.from(`\u2066${format.digits(sum.sourceNumber)}\u2069`),
          t.compose.lookParts(t.message.partsOf(format.number(sum.parts), sum.encoding)),
          sample && look.isPersonal && t.compose.sampleNote,
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
      {go.error && !isRefusal(go.error) && <p className="note">{t.compose.onceAgain}</p>}
    </ConfirmDialog>
  );
}
