import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { answer, client, type Schemas } from "../../../api/client.ts";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useRoute } from "../../../base/router.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Confirm } from "../../../parts/ConfirmDialog.tsx";
import { directionOf } from "../../../parts/direction.ts";
import { Empty } from "../../../parts/Empty.tsx";
import { Heading } from "../../../parts/Heading.tsx";
import { Loaded } from "../../../parts/Loaded.tsx";
import { NeedsScope } from "../../../parts/NeedsScope.tsx";
import { Pager } from "../../../parts/Pager.tsx";
import { pendingQuery } from "../queries.ts";
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

function ApproveDialog({ pending, onClose }: { pending: Schemas["PendingVersion"]; onClose: () => void }) {
  const { o, format } = useOperatorTexts();
  const path = { id: pending.account, slug: pending.slug, n: pending.version.version };
  return (
    <Confirm
      title={o.patterns.approveTitle(pending.title)}
      submit={o.patterns.approve}
      ask={() =>
        answer(client.POST("/admin/accounts/{id}/patterns/{slug}/versions/{n}/activate", { params: { path } }))
      }
      stale={[["patterns"]]}
      onClose={onClose}
    >
      <p>{o.patterns.approveText(format.number(pending.version.version))}</p>
      <p className="message-text" dir={directionOf(pending.version.text)}>
        {pending.version.text}
      </p>
    </Confirm>
  );
}
