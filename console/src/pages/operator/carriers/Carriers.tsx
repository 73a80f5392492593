import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { goTo, useRoute } from "../../../base/router.ts";
import { Empty } from "../../../parts/Empty.tsx";
import { Loaded } from "../../../parts/Loaded.tsx";
import { Page } from "../../../parts/Page.tsx";
import { carriersQuery } from "../queries.ts";
import { NameFilter } from "../shared/NameFilter.tsx";
import { CarrierTable } from "./CarrierTable.tsx";
import { NewCarrier } from "./NewCarrier.tsx";

export default function Carriers() {
  const o = useOperatorMessages();
  const mayChange = useMay("admin:carriers");
  return (
    <Page
      title={o.pages.carriers}
      lead={o.carriers.lead}
      scope="admin:read"
      adds={mayChange && o.carriers.add}
      form={(close) => <NewCarrier onClose={close} onMade={(name) => goTo(`/carriers/${name}`)} />}
    >
      <NameFilter label={o.carriers.find} />
      <List />
    </Page>
  );
}

function List() {
  const o = useOperatorMessages();
  const q = useRoute().query.get("q") ?? "";
  return (
    <Loaded query={useQuery(carriersQuery(q))}>
      {(carriers) =>
        carriers.length === 0 ? (
          <Empty title={o.carriers.noneFound} />
        ) : (
          <section className="card">
            <CarrierTable carriers={carriers} />
          </section>
        )
      }
    </Loaded>
  );
}
