import { useMutation } from "@tanstack/react-query";
import { signOut } from "../api/session.ts";
import { Button } from "../parts/Button.tsx";
import { useMessages } from "./messages.ts";

/** Ends the session, and leaves nothing of it: not in the address, not in this tab, not in memory. */
export function useSignOut() {
  return useMutation({
    mutationFn: (everywhere: boolean) => signOut(everywhere),
    onSuccess: () => {
      sessionStorage.clear();
      location.replace("/console");
      location.reload();
    },
  });
}

export function SignOutButton() {
  const t = useMessages();
  const end = useSignOut();
  return (
    <Button kind="quiet" className="sign-out" isPending={end.isPending} onPress={() => end.mutate(false)}>
      {t.app.signOut}
    </Button>
  );
}
