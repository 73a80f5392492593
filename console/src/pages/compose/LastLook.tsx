import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMessages } from "../../base/messages.ts";
import { goTo } from "../../base/router.ts";
import { useFormat } from "../../format/format.ts";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { type Estimate, type Send, send as sendIt } from "./queries.ts";

type Props = { send: Send; estimate: Estimate; idempotencyKey: string; onSent: () => void; onClose: () => void };

/** Whom it goes to and what it costs, before it goes. */
export function LastLook({ send, estimate, idempotencyKey, onSent, onClose }: Props) {
  const t = useMessages();
  const format = useFormat();
  const queryClient = useQueryClient();
  const go = useMutation({
    mutationFn: () => sendIt(send, idempotencyKey),
    onSuccess: ({ uid }) => {
      void queryClient.invalidateQueries({ queryKey: ["account"] });
      void queryClient.invalidateQueries({ queryKey: ["messages"] });
      onSent();
      goTo(`/messages/${uid}`);
    },
  });
  const people = format.number(estimate.recipients);
  return (
    <ConfirmDialog
      title={t.compose.lookTitle}
      submit={go.isPending ? t.compose.sending : t.compose.submit(people)}
      keep={t.compose.back}
      kind="main"
      isPending={go.isPending}
      error={go.error}
      onSubmit={() => go.mutate()}
      onClose={onClose}
    >
      <p>
        {estimate.test
          ? t.compose.lookTest(people)
          : t.compose.lookText(people, format.money(estimate.cost, estimate.unit))}
      </p>
      <p className="message-text" dir="auto">
        {send.message}
      </p>
      <p className="hint">{t.compose.from(`\u2066${format.digits(estimate.sourceNumber)}\u2069`)}</p>
    </ConfirmDialog>
  );
}
