import { useMutation } from "@tanstack/react-query";
import { signOut } from "../api/session.ts";

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
