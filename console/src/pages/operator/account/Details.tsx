import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../../api/client.ts";
import { href } from "../../../base/router.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { useSpans } from "../../../format/spans.ts";
import { Code } from "../../../parts/Code.tsx";
import { Facts } from "../../../parts/Facts.tsx";
import { Loaded } from "../../../parts/Loaded.tsx";
import { linesOfAccountQuery } from "../queries.ts";

type Account = Schemas["Account"];

export function Details({ account }: { account: Account }) {
  const { o, format } = useOperatorTexts();
  const { span } = useSpans();
  const { id, username, createdAt, destinations, storage, rateLimit, testRateLimit, recipientLimit } = account;
  const window = ({ limit, windowSeconds }: Account["recipientLimit"]) =>
    o.account.inWindow(format.number(limit), span(windowSeconds));
  return (
    <section className="card stack">
      <h2>{o.account.details}</h2>
      <Facts
        facts={[
          [o.accounts.username, <Code key="username">{username}</Code>],
          [o.account.made, format.moment(createdAt)],
          [o.account.destinations, <Code key="destinations">{destinations.map((to) => `+${to}`).join(" ")}</Code>],
          [o.account.storage, format.percent(storage.bytes / storage.maxBytes)],
          [o.account.rateLimit, window(rateLimit)],
          [o.account.testRateLimit, window(testRateLimit)],
          [o.account.recipientLimit, recipientLimit.limit === 0 ? o.account.noLimit : window(recipientLimit)],
          [
            o.account.id,
            <Code key="id" className="uid">
              {id}
            </Code>,
          ],
        ]}
      />
      <Lines id={id} />
    </section>
  );
}

function Lines({ id }: { id: string }) {
  const { o, format } = useOperatorTexts();
  return (
    <>
      <h3>{o.account.lines}</h3>
      <Loaded query={useQuery(linesOfAccountQuery(id))}>
        {(lines) =>
          lines.length === 0 ? (
            <p className="faint">{o.account.noLines}</p>
          ) : (
            <ul className="inline">
              {lines.map(({ number, shared }) => (
                <li key={number}>
                  <a href={href(`/lines/${encodeURIComponent(number)}`)}>
                    <Code>{format.digits(number)}</Code>
                  </a>
                  {shared && <span className="faint"> {o.account.shared}</span>}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  );
}
