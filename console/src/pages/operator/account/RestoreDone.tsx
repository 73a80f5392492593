import type { Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useFormat } from "../../../format/format.ts";
import { Code } from "../../../parts/Code.tsx";
import { CopyButton } from "../../../parts/CopyButton.tsx";
import { Facts } from "../../../parts/Facts.tsx";

type Restored = Schemas["Restored"];

/** What a restore has changed, and the only way to take it back. */
export function RestoreDone({ restored }: { restored: Restored }) {
  const o = useOperatorMessages();
  const format = useFormat();
  const { walletBefore, walletAfter, inDoubt, canceled, undo } = restored;
  const money = (wallet: Restored["walletAfter"]) => format.money(wallet.availableBalance, wallet.unit);
  return (
    <section className="card stack narrow" role="status">
      <h2>{o.restore.done}</h2>
      <p>{o.restore.sendingOff}</p>
      <Facts
        facts={[
          [o.restore.walletBefore, money(walletBefore)],
          [o.restore.walletAfter, money(walletAfter)],
          [o.restore.inDoubt, format.number(inDoubt)],
          [o.restore.canceled, format.number(canceled)],
          [
            o.restore.undo,
            <Code key="undo" className="uid">
              {undo}
            </Code>,
          ],
        ]}
      />
      <div className="actions">
        <CopyButton text={undo} />
      </div>
    </section>
  );
}
