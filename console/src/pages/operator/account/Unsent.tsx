// What of an account has not left, in numbers: what a hold keeps back, and a cancel takes back.
import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useFormat } from "../../../format/format.ts";
import { useTexts } from "../../../format/texts.ts";
import { Facts } from "../../../parts/Facts.tsx";
import { Loaded } from "../../../parts/Loaded.tsx";
import type { Tile } from "../../../parts/Tiles.tsx";
import { accountQuery, unsentQuery } from "../queries.ts";

/** Writes a count. One answer does not count all of very many. */
function useCount() {
  const { t, format } = useTexts();
  return (count: number, { hasMore }: Schemas["Unsent"]) =>
    hasMore && count > 0 ? t.form.atLeast(format.number(count)) : format.number(count);
}

/** The money that is reserved now, also on a page that has been open for a while. */
export function useReserved(account: Schemas["Account"]): string {
  const format = useFormat();
  const { data = account } = useQuery({ ...accountQuery(account.id), staleTime: 0 });
  return format.money(data.wallet.lockedBalance, data.wallet.unit);
}

export function UnsentFacts({ id }: { id: string }) {
  const o = useOperatorMessages();
  const count = useCount();
  return (
    <Loaded query={useQuery(unsentQuery(id))}>
      {(unsent) => (
        <Facts
          facts={[
            [o.unsent.title, o.unsent.recipients(count(unsent.recipients, unsent))],
            [o.unsent.scheduled, count(unsent.scheduled, unsent)],
            [o.unsent.withCarriers, count(unsent.withCarriers, unsent)],
          ]}
        />
      )}
    </Loaded>
  );
}

export function useUnsentTile(id: string): Tile {
  const o = useOperatorMessages();
  const count = useCount();
  const { data, error } = useQuery(unsentQuery(id));
  const title = o.unsent.title;
  if (!data) return { title, value: error ? "–" : "…", note: error && o.unsent.unknown };
  const parts = o.unsent.parts(count(data.scheduled, data), count(data.withCarriers, data));
  return { title, value: count(data.recipients, data), note: data.recipients > 0 && parts };
}
