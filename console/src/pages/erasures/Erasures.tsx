import { useQuery } from "@tanstack/react-query";
import { pageQuery } from "../../api/queries.ts";
import { useMessages } from "../../base/messages.ts";
import { useRoute } from "../../base/router.ts";
import { Empty } from "../../parts/Empty.tsx";
import { Heading } from "../../parts/Heading.tsx";
import { Listing } from "../../parts/Listing.tsx";
import { NeedsLive } from "../../parts/NeedsLive.tsx";
import { NeedsScope } from "../../parts/NeedsScope.tsx";
import { EraseForm } from "./EraseForm.tsx";
import { ErasureTable } from "./ErasureTable.tsx";

export default function Erasures() {
  const t = useMessages();
  return (
    <>
      <Heading title={t.erasures.title} />
      <p className="faint">{t.erasures.lead}</p>
      <NeedsScope scope="erasure">
        <NeedsLive>
          <EraseForm />
          <Orders />
        </NeedsLive>
      </NeedsScope>
    </>
  );
}

/** How often running orders are looked at, ms. They run for hours. */
const often = 60_000;

function Orders() {
  const t = useMessages();
  const { query } = useRoute();
  return (
    <Listing
      query={useQuery(
        pageQuery(
          ["erasures"],
          "/erasures",
          { query: { cursor: query.get("cursor") } },
          {
            refetchInterval: ({ state }) =>
              state.data?.data.some(({ status }) => status === "RUNNING") ? often : false,
          },
        ),
      )}
      empty={<Empty title={t.erasures.none} />}
      isEmptyWhole
    >
      {(data) => <ErasureTable erasures={data} />}
    </Listing>
  );
}
