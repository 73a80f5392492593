import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../../api/client.ts";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { Changeable } from "../../../parts/Changeable.tsx";
import { type Fact, Facts } from "../../../parts/Facts.tsx";
import { Loaded } from "../../../parts/Loaded.tsx";
import { AccountChips } from "../shared/AccountChips.tsx";
import { useUsernames } from "../shared/accounts.ts";
import { InboundForm, inboundQuery } from "./InboundForm.tsx";

/** Who gets what phones send to a line. */
export function Inbound({ line }: { line: Schemas["Line"] }) {
  const o = useOperatorMessages();
  const inbound = useQuery(inboundQuery(line.number));
  const mayChange = useMay("admin:carriers");
  const { data } = inbound;
  return (
    <Changeable
      title={o.inbound.title}
      change={mayChange && data !== undefined && o.inbound.change}
      form={(close) => data && <InboundForm number={line.number} inbound={data} onClose={close} />}
    >
      <Loaded query={inbound}>
        {(inbound) => <InboundFacts inbound={inbound} isSoleOwners={!line.shared && line.accounts.length === 1} />}
      </Loaded>
    </Changeable>
  );
}

type FactsProps = { inbound: Schemas["LineInbound"]; isSoleOwners: boolean };

function InboundFacts({ inbound, isSoleOwners }: FactsProps) {
  const o = useOperatorMessages();
  const { account, keywords, optOutReply, optInReply } = inbound;
  const names = useUsernames(keywords.map((keyword) => keyword.account));
  const facts: Fact[] = keywords.map(({ keyword }, index) => [keyword, <bdi key={keyword}>{names[index]}</bdi>]);
  if (optOutReply) facts.push([o.inbound.optOutReply, optOutReply]);
  if (optInReply) facts.push([o.inbound.optInReply, optInReply]);
  return (
    <>
      {account ? (
        <>
          <p>{o.inbound.restOf}</p>
          <AccountChips ids={[account]} />
        </>
      ) : (
        <p className="faint">{isSoleOwners ? o.inbound.soleOwner : o.inbound.nobody}</p>
      )}
      {facts.length > 0 && <Facts facts={facts} />}
    </>
  );
}
