import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useRoute } from "../../../base/router.ts";
import { Empty } from "../../../parts/Empty.tsx";
import { Heading } from "../../../parts/Heading.tsx";
import { Loaded } from "../../../parts/Loaded.tsx";
import { NeedsScope } from "../../../parts/NeedsScope.tsx";
import { Pager } from "../../../parts/Pager.tsx";
import { ErasureTable } from "./ErasureTable.tsx";
import { erasuresQuery } from "./queries.ts";
import { StartForm } from "./StartForm.tsx";

export default function Erasures() {
  const o = useOperatorMessages();
  return (
    <>
      <Heading title={o.pages.erasures} />
      <p className="faint">{o.erasures.lead}</p>
      {useMay("admin:accounts") && <StartForm />}
      <NeedsScope scope="admin:read">
        <Found />
      </NeedsScope>
    </>
  );
}

function Found() {
  const o = useOperatorMessages();
  const { query } = useRoute();
  return (
    <Loaded query={useQuery(erasuresQuery(query.get("cursor") ?? undefined))}>
      {({ data, meta }) =>
        data.length === 0 ? (
          <Empty title={o.erasures.none} />
        ) : (
          <section className="card">
            <ErasureTable erasures={data} />
            <Pager nextCursor={meta.nextCursor} />
          </section>
        )
      }
    </Loaded>
  );
}
