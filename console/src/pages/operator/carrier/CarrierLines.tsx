import { useQuery } from "@tanstack/react-query";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { href } from "../../../base/router.ts";
import { useFormat } from "../../../format/format.ts";
import { Code } from "../../../parts/Code.tsx";
import { Loaded } from "../../../parts/Loaded.tsx";
import { linesOfCarrierQuery } from "../queries.ts";

/** Where a change of the carrier is felt. */
export function CarrierLines({ name }: { name: string }) {
  const o = useOperatorMessages();
  const format = useFormat();
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
                  <a href={href(`/lines/${encodeURIComponent(number)}`)}>
                    <Code>{format.digits(number)}</Code>
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}
