import type { Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { href } from "../../../base/router.ts";
import { useWarnings, type Warning } from "./warnings.ts";

/** What needs a look, each with the way to it. Without any, it says so, but not before all has answered. */
export function Warnings({ health }: { health: Schemas["ServiceHealth"] }) {
  const o = useOperatorMessages();
  const { warnings, isWhole } = useWarnings(health);
  if (warnings.length === 0)
    return (
      <p className={isWhole ? "card all-well" : "card faint"}>{isWhole ? o.service.allWell : o.service.looking}</p>
    );
  return (
    <section className="card warnings">
      <h2>{o.service.warnings}</h2>
      <ul>
        {warnings.map((warning) => (
          <li key={warning.text}>
            <Line warning={warning} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Line({ warning: { text, path, query } }: { warning: Warning }) {
  const o = useOperatorMessages();
  if (path === null) return <>{text}</>;
  return (
    <>
      {text}{" "}
      <a href={href(path, query)} aria-label={`${o.service.look}: ${text}`}>
        {o.service.look}
      </a>
    </>
  );
}
