import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { goTo, useRoute } from "../../../base/router.ts";
import { Button } from "../../../parts/Button.tsx";
import { Empty } from "../../../parts/Empty.tsx";
import { Heading } from "../../../parts/Heading.tsx";
import { Loaded } from "../../../parts/Loaded.tsx";
import { NeedsScope } from "../../../parts/NeedsScope.tsx";
import { carriersQuery } from "../queries.ts";
import { NameFilter } from "../shared/NameFilter.tsx";
import { CarrierTable } from "./CarrierTable.tsx";
import { NewCarrier } from "./NewCarrier.tsx";

export default function Carriers() {
  const o = useOperatorMessages();
  const mayChange = useMay("admin:carriers");
  const [isMaking, setIsMaking] = useState(false);
  return (
    <>
      <Heading title={o.pages.carriers}>
        {mayChange && !isMaking && <Button onPress={() => setIsMaking(true)}>{o.carriers.add}</Button>}
      </Heading>
      <p className="faint">{o.carriers.lead}</p>
      {isMaking && <NewCarrier onClose={() => setIsMaking(false)} onMade={(name) => goTo(`/carriers/${name}`)} />}
      <NeedsScope scope="admin:read">
        <NameFilter label={o.carriers.find} />
        <List />
      </NeedsScope>
    </>
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
