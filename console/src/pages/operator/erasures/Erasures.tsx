import { useQuery } from "@tanstack/react-query";
import { pageQuery } from "../../../api/queries.ts";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useRoute } from "../../../base/router.ts";
import { Empty } from "../../../parts/Empty.tsx";
import { Heading } from "../../../parts/Heading.tsx";
import { Listing } from "../../../parts/Listing.tsx";
import { NeedsScope } from "../../../parts/NeedsScope.tsx";
import { ErasureTable } from "./ErasureTable.tsx";
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

/** How often the list is asked for again while somebody looks at it, ms. */
const often = 15_000;

function Found() {
  const o = useOperatorMessages();
  const { query } = useRoute();
  return (
    <Listing
      query={useQuery(
        pageQuery(
          ["erasures"],
          "/admin/erasures",
          { query: { cursor: query.get("cursor") } },
          { refetchInterval: often },
        ),
      )}
      empty={<Empty title={o.erasures.none} />}
    >
      {(data) => <ErasureTable erasures={data} />}
    </Listing>
  );
}
