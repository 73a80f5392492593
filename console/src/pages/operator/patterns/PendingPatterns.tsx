import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../../../api/client.ts";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useRoute } from "../../../base/router.ts";
import { Empty } from "../../../parts/Empty.tsx";
import { Heading } from "../../../parts/Heading.tsx";
import { Loaded } from "../../../parts/Loaded.tsx";
import { NeedsScope } from "../../../parts/NeedsScope.tsx";
import { Pager } from "../../../parts/Pager.tsx";
import { pendingQuery } from "../queries.ts";
import { ApproveDialog } from "./ApproveDialog.tsx";
import { PendingCard } from "./PendingCard.tsx";

type PendingVersion = Schemas["PendingVersion"];

export default function PendingPatterns() {
  const o = useOperatorMessages();
  return (
    <>
      <Heading title={o.pages.patterns} />
      <p className="faint">{o.patterns.lead}</p>
      <NeedsScope scope="admin:read">
        <Found />
      </NeedsScope>
    </>
  );
}

const idOf = ({ account, slug, version }: PendingVersion) => `${account} ${slug} ${version.version}`;

function Found() {
  const o = useOperatorMessages();
  const { query } = useRoute();
  const mayApprove = useMay("admin:accounts");
  const [chosen, setChosen] = useState<PendingVersion | null>(null);
  return (
    <>
      <Loaded query={useQuery(pendingQuery(query.get("cursor")))}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <Empty title={o.patterns.none}>
              <p>{o.patterns.noneText}</p>
            </Empty>
          ) : (
            <>
              {data.map((pending) => (
                <PendingCard
                  key={idOf(pending)}
                  pending={pending}
                  onApprove={mayApprove ? () => setChosen(pending) : undefined}
                />
              ))}
              <Pager nextCursor={meta.nextCursor} />
            </>
          )
        }
      </Loaded>
      {chosen && <ApproveDialog pending={chosen} onClose={() => setChosen(null)} />}
    </>
  );
}
