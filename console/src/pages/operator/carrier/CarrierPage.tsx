import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { Loaded } from "../../../parts/Loaded.tsx";
import { Page } from "../../../parts/Page.tsx";
import { carrierQuery, linesOfCarrierQuery } from "../queries.ts";
import { LineLink } from "../shared/Links.tsx";
import { Actions } from "./Actions.tsx";
import { Settings } from "./Settings.tsx";
import { State } from "./State.tsx";

export default function CarrierPage({ name }: { name: string }) {
  const o = useOperatorMessages();
  const mayChange = useMay("admin:carriers");
  const carrier = useQuery(carrierQuery(name));
  return (
    <Page
      title={o.carrier.title(`\u2068${name}\u2069`)}
      back={["/carriers", o.carrier.back]}
      scope="admin:read"
      acts={carrier.data && mayChange && <Actions carrier={carrier.data} />}
    >
      <Loaded query={carrier}>
        {(carrier) => (
          <>
            <State carrier={carrier} />
            <CarrierLines name={name} />
            <Settings carrier={carrier} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Where a change of the carrier is felt. */
function CarrierLines({ name }: { name: string }) {
  const o = useOperatorMessages();
  return (
    <section className="card stack">
      <h2>{o.carrier.lines}</h2>
      <Loaded query={useQuery(linesOfCarrierQuery(name))}>
        {(lines) =>
          lines.length === 0 ? (
            <p className="faint">{o.carrier.noLines}</p>
          ) : (
            <ul className="chips">
              {lines.map(({ number }) => (
                <li key={number}>
                  <LineLink number={number} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}
