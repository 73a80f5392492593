import { useState } from "react";
import type { Schemas } from "../../../api/client.ts";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Button } from "../../../parts/Button.tsx";
import { Tiles } from "../../../parts/Tiles.tsx";
import { CreditForm } from "./CreditForm.tsx";
import { useUnsentTile } from "./Unsent.tsx";

export function Balance({ account }: { account: Schemas["Account"] }) {
  const { t, o, format } = useOperatorTexts();
  const mayCredit = useMay("admin:money");
  const [isCrediting, setIsCrediting] = useState(false);
  const { wallet, spentToday, dailySpend, plan, defaultLine } = account;
  const money = (amount: number) => format.money(amount, wallet.unit);
  const tiles = [
    { title: t.wallet.available, value: money(wallet.availableBalance) },
    { title: t.wallet.reserved, value: money(wallet.lockedBalance) },
    useUnsentTile(account.id),
    {
      title: o.account.spentToday,
      value: money(spentToday),
      note: dailySpend === null ? o.account.noDailySpend : o.account.ofDailySpend(money(dailySpend)),
    },
    {
      title: o.account.plan,
      value: plan.title,
      note: defaultLine ? o.account.fromLine(format.digits(defaultLine)) : o.account.noDefaultLine,
    },
  ];
  return (
    <>
      <Tiles tiles={tiles} />
      {mayCredit &&
        (isCrediting ? (
          <CreditForm account={account} onClose={() => setIsCrediting(false)} />
        ) : (
          <div>
            <Button onPress={() => setIsCrediting(true)}>{o.credit.open}</Button>
          </div>
        ))}
    </>
  );
}
