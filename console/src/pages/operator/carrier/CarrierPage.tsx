import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { href } from "../../../base/router.ts";
import { Heading } from "../../../parts/Heading.tsx";
import { Loaded } from "../../../parts/Loaded.tsx";
import { NeedsScope } from "../../../parts/NeedsScope.tsx";
import { carrierQuery } from "../queries.ts";
import { Actions } from "./Actions.tsx";
import { CarrierLines } from "./CarrierLines.tsx";
import { Settings } from "./Settings.tsx";
import { State } from "./State.tsx";

export default function CarrierPage({ name }: { name: string }) {
  const o = useOperatorMessages();
  const mayChange = useMay("admin:carriers");
  const carrier = useQuery(carrierQuery(name));
  return (
    <>
      <p className="back">
        <a href={href("/carriers")}>{o.carrier.back}</a>
      </p>
      <Heading title={o.carrier.title(`\u2068${name}\u2069`)}>
        {carrier.data && mayChange && <Actions carrier={carrier.data} />}
      </Heading>
      <NeedsScope scope="admin:read">
        <Loaded query={carrier}>
          {(carrier) => (
            <>
              <State carrier={carrier} />
              <CarrierLines name={name} />
              <Settings carrier={carrier} />
            </>
          )}
        </Loaded>
      </NeedsScope>
    </>
  );
}
