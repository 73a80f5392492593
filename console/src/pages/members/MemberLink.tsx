import { useChange } from "../../api/change.ts";
import { useMessages } from "../../base/messages.ts";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { ShownSecret } from "../../parts/ShownSecret.tsx";

/** How long the link of a member counts: the person may not be at hand. */
export const forADay = { ttlSeconds: 86_400 };

type Props = { of: { name: string }; make: () => Promise<{ url: string }>; onClose: () => void };

/** A link that signs a member in: asked for at first, and shown then. */
export function MemberLink({ of, make, onClose }: Props) {
  const t = useMessages();
  const link = useChange({ ask: make, isSecret: true });
  if (link.data)
    return (
      <ShownSecret
        title={t.members.linkMade(of.name)}
        text={t.members.linkShown}
        secret={link.data.url}
        done={t.members.linkDone}
        onDone={onClose}
      />
    );
  return (
    <ConfirmDialog
      title={t.members.linkTitle(of.name)}
      submit={t.members.linkSubmit}
      change={link}
      onSubmit={() => link.mutate()}
      onClose={onClose}
    >
      <p>{t.members.linkText}</p>
    </ConfirmDialog>
  );
}
