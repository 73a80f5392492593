import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useRoute } from "../../../base/router.ts";
import { Empty } from "../../../parts/Empty.tsx";
import { Heading } from "../../../parts/Heading.tsx";
import { Loaded } from "../../../parts/Loaded.tsx";
import { NeedsScope } from "../../../parts/NeedsScope.tsx";
import { Pager } from "../../../parts/Pager.tsx";
import { AccountTable } from "./AccountTable.tsx";
import { accountsQuery } from "./queries.ts";

export default function Accounts() {
  const o = useOperatorMessages();
  return (
    <>
      <Heading title={o.pages.accounts} />
      <NeedsScope scope="admin:read">
        <Found />
      </NeedsScope>
    </>
  );
}

function Found() {
  const o = useOperatorMessages();
  const { query } = useRoute();
  const list = useQuery({
    ...accountsQuery(query.get("q") ?? "", query.get("cursor") ?? undefined),
    placeholderData: keepPreviousData,
  });
  return (
    <Loaded query={list}>
      {({ data, meta }) =>
        data.length === 0 ? (
          <Empty title={o.accounts.none} />
        ) : (
          <section className="card" aria-busy={list.isPlaceholderData}>
            <AccountTable accounts={data} />
            <Pager nextCursor={meta.nextCursor} />
          </section>
        )
      }
    </Loaded>
  );
}
