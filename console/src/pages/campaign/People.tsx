import { client } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { href } from "../../base/router.ts";
import { Empty } from "../../parts/Empty.tsx";
import { keepFilled } from "../../parts/keep-filled.ts";
import { usePage } from "../../parts/Listing.tsx";
import { Loaded } from "../../parts/Loaded.tsx";
import { Pager } from "../../parts/Pager.tsx";
import type { Campaign } from "../campaigns/queries.ts";
import { RecipientsHead } from "../message/RecipientsHead.tsx";
import { type Recipient, RecipientTable, useRecipientFilters } from "../message/RecipientTable.tsx";

/** Its people, wave by wave, with what became of each. A page of a filtered list may have few of them, or none, before the list ends. */
export function People({ campaign }: { campaign: Campaign }) {
  const t = useMessages();
  const { filters } = useRecipientFilters();
  const path = { id: campaign.id };
  // It changes whenever somebody has moved: then the list is asked for again.
  const state = JSON.stringify(campaign.progress);
  const list = usePage(
    ["campaigns", "people", state],
    "/campaigns/{id}/recipients",
    { path, query: filters },
    { placeholderData: keepFilled },
  );
  return (
    <section className="card stack">
      <RecipientsHead
        title={t.campaign.recipients}
        file={(query) => client.GET("/campaigns/{id}/recipients", { params: { path, query }, parseAs: "blob" })}
      />
      <Loaded query={list}>
        {({ data, meta }) =>
          data.length === 0 && !meta.nextCursor ? (
            <Empty title={t.campaign.noPeople} />
          ) : (
            <div className="stack" aria-busy={list.isPlaceholderData}>
              {data.length === 0 ? (
                <p>{t.campaign.readOn}</p>
              ) : (
                <RecipientTable
                  caption={t.campaign.recipients}
                  recipients={data}
                  unit={campaign.unit}
                  test={campaign.test}
                  last={{ title: t.campaign.wave, cell: (recipient) => <WaveLink of={recipient} /> }}
                />
              )}
              <Pager nextCursor={meta.nextCursor} />
            </div>
          )
        }
      </Loaded>
    </section>
  );
}

/** The message of the wave. A recipient's uid begins with that of its message. */
function WaveLink({ of: { uid, recipient } }: { of: Recipient }) {
  const t = useMessages();
  const [message] = uid.split(".");
  return <a href={href(`/messages/${message}`, { recipient })}>{t.campaign.openWave}</a>;
}
