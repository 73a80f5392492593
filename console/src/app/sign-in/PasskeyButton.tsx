import { useMutation } from "@tanstack/react-query";
import { hasPasskeys, signInByPasskey } from "../../api/passkeys.ts";
import { sessionQuery } from "../../api/session.ts";
import { useMessages } from "../../base/messages.ts";
import { Button } from "../../parts/Button.tsx";
import { PasskeyProblem } from "../../parts/PasskeyProblem.tsx";
import { queryClient } from "../query-client.ts";

export function PasskeyButton() {
  const t = useMessages();
  const enter = useMutation({
    mutationFn: signInByPasskey,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
    gcTime: 0,
  });
  if (!hasPasskeys()) return null;
  return (
    <>
      <Button kind="quiet" isPending={enter.isPending} onPress={() => enter.mutate()}>
        {t.signIn.byPasskey}
      </Button>
      {enter.error && <PasskeyProblem error={enter.error} />}
    </>
  );
}
