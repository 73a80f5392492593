import { useMessages } from "../base/messages.ts";
import { Button } from "../parts/Button.tsx";
import { useSignOut } from "../parts/sign-out.ts";

export function SignOutButton() {
  const t = useMessages();
  const end = useSignOut();
  return (
    <Button kind="quiet" className="sign-out" isPending={end.isPending} onPress={() => end.mutate(false)}>
      {t.app.signOut}
    </Button>
  );
}
