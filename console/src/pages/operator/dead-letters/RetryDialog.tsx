import { useMutation, useQueryClient } from "@tanstack/react-query";
import { answer, client, type Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useFormat } from "../../../format/format.ts";
import { ConfirmDialog } from "../../../parts/ConfirmDialog.tsx";

type DeadLetter = Schemas["DeadLetter"];

type Props = { letter: DeadLetter; onRetried: (letter: DeadLetter) => void; onClose: () => void };

export function RetryDialog({ letter, onRetried, onClose }: Props) {
  const o = useOperatorMessages();
  const format = useFormat();
  const queryClient = useQueryClient();
  const retry = useMutation({
    mutationFn: () => answer(client.POST("/admin/dead-letters/{id}/retry", { params: { path: { id: letter.id } } })),
    onSuccess: () => {
      onRetried(letter);
      onClose();
    },
    // A chunk that has moved meanwhile leaves the list too.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["dead-letters"] }),
  });
  const people = format.number(letter.recipients);
  return (
    <ConfirmDialog
      title={o.deadLetters.retryTitle}
      submit={o.deadLetters.retrySubmit(people)}
      change={retry}
      onSubmit={() => retry.mutate()}
      onClose={onClose}
    >
      <p>{o.deadLetters.retryText(people, letter.carrier ? `\u2068${letter.carrier}\u2069` : "–")}</p>
      <p>{o.deadLetters.retryHint}</p>
    </ConfirmDialog>
  );
}
