import { answer, client, type Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { useFormat } from "../../format/format.ts";
import { Confirm } from "../../parts/ConfirmDialog.tsx";

export function UnblockDialog({ of, onClose }: { of: Schemas["BlockedNumber"]; onClose: () => void }) {
  const t = useMessages();
  const format = useFormat();
  return (
    <Confirm
      title={t.blacklist.removeTitle(`\u2066${format.phone(of.number)}\u2069`)}
      submit={t.blacklist.removeSubmit}
      kind={of.optOut ? "danger" : "main"}
      ask={() => answer(client.DELETE("/blacklist", { params: { query: { number: of.number } } }))}
      stale={[["blacklist"]]}
      onClose={onClose}
    >
      <p>{t.blacklist.removeText}</p>
      {of.optOut && <p className="bad">{t.blacklist.removeOptOut}</p>}
    </Confirm>
  );
}
