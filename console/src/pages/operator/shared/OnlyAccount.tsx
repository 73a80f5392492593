import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { AccountOfId } from "./AccountLink.tsx";

/** Says by name which account a list is of, because the filter has its id only. */
export function OnlyAccount({ id }: { id: string }) {
  const o = useOperatorMessages();
  if (!id) return null;
  return (
    <p>
      {o.records.of} <AccountOfId id={id} />
    </p>
  );
}
