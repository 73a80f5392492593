import { useMutation, useQueryClient } from "@tanstack/react-query";
import { answer, client, dataOf, type Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { Button } from "../../parts/Button.tsx";
import { ProblemText } from "../../parts/Failure.tsx";

export type Open = "change" | "rotate" | "delete" | null;

/** What can be done with an endpoint. What takes something away asks first. */
export function Acts({ endpoint, onOpen }: { endpoint: Schemas["Endpoint"]; onOpen: (open: Open) => void }) {
  const t = useMessages();
  const queryClient = useQueryClient();
  const at = { params: { path: { id: endpoint.id } } };
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: ["webhooks"] });
  const turn = useMutation({
    mutationFn: () => dataOf(client.PUT("/webhook/{id}", { ...at, body: { active: !endpoint.active } })),
    onSuccess,
  });
  const test = useMutation({ mutationFn: () => answer(client.POST("/webhook/{id}/test", at)), onSuccess });
  const error = turn.error ?? test.error;
  return (
    <>
      {error && <ProblemText error={error} />}
      <div className="actions">
        <Button kind="link" className="bad" onPress={() => onOpen("delete")}>
          {t.webhooks.delete}
        </Button>
        <Button kind="link" onPress={() => onOpen("rotate")}>
          {t.webhooks.rotate}
        </Button>
        <Button kind="quiet" onPress={() => onOpen("change")}>
          {t.webhooks.change}
        </Button>
        <Button kind="quiet" isPending={turn.isPending} onPress={() => turn.mutate()}>
          {endpoint.active ? t.webhooks.turnOff : t.webhooks.turnOn}
        </Button>
        {endpoint.active && (
          <Button isPending={test.isPending} onPress={() => test.mutate()}>
            {t.webhooks.test}
          </Button>
        )}
      </div>
    </>
  );
}
