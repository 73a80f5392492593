import { useState } from "react";
import { client, dataOf, type Schemas } from "../../../api/client.ts";
import { dataQuery } from "../../../api/queries.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { Button } from "../../../parts/Button.tsx";
import { ChangeForm } from "../../../parts/ChangeForm.tsx";
import { TextField } from "../../../parts/TextField.tsx";
import { AccountChips } from "../shared/AccountChips.tsx";
import { AccountField } from "../shared/AccountField.tsx";
import { useUsernames } from "../shared/accounts.ts";

type Props = { number: string; inbound: Schemas["LineInbound"]; onClose: () => void };

export const inboundQuery = (number: string) =>
  dataQuery(["lines", "inbound"], "/admin/lines/{number}/inbound", { path: { number } });

export function InboundForm({ number, inbound, onClose }: Props) {
  const o = useOperatorMessages();
  const [account, setAccount] = useState(inbound.account);
  const [keywords, setKeywords] = useState(inbound.keywords);
  const [optOutReply, setOptOutReply] = useState(inbound.optOutReply ?? "");
  const [optInReply, setOptInReply] = useState(inbound.optInReply ?? "");
  const body = { account, keywords, optOutReply: optOutReply || null, optInReply: optInReply || null };
  return (
    <ChangeForm
      submit={o.inbound.save}
      ask={() => dataOf(client.PUT("/admin/lines/{number}/inbound", { params: { path: { number } }, body }))}
      replaces={inboundQuery(number)}
      onClose={onClose}
    >
      {() => (
        <>
          <div className="stack">
            <h3>{o.inbound.restOf}</h3>
            {account && <AccountChips ids={[account]} onRemove={() => setAccount(null)} />}
            <AccountField label={o.accountField.username} add={o.accountField.choose} onFound={setAccount} />
          </div>
          <KeywordFields keywords={keywords} onChange={setKeywords} />
          <TextField label={o.inbound.optOutReply} rows={2} value={optOutReply} onChange={setOptOutReply} />
          <TextField label={o.inbound.optInReply} rows={2} value={optInReply} onChange={setOptInReply} />
          <p className="hint">{o.inbound.replyHint}</p>
        </>
      )}
    </ChangeForm>
  );
}

type Keywords = Schemas["LineInbound"]["keywords"];

function KeywordFields({ keywords, onChange }: { keywords: Keywords; onChange: (keywords: Keywords) => void }) {
  const o = useOperatorMessages();
  const names = useUsernames(keywords.map(({ account }) => account));
  const [word, setWord] = useState("");
  const add = (account: string) => {
    if (word.trim() === "") return;
    onChange([...keywords, { keyword: word.trim(), account }]);
    setWord("");
  };
  return (
    <div className="stack">
      <h3>{o.inbound.keywords}</h3>
      <p className="hint">{o.inbound.keywordsHint}</p>
      {keywords.length > 0 && (
        <ul className="chips">
          {keywords.map(({ keyword }, index) => (
            <li key={keyword}>
              <bdi>{keyword}</bdi> ← <bdi>{names[index]}</bdi>
              <Button
                kind="link"
                className="bad"
                aria-label={o.accountField.removeOf(keyword)}
                onPress={() => onChange(keywords.filter((other) => other.keyword !== keyword))}
              >
                ×
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className="keyword-fields">
        <TextField label={o.inbound.keyword} value={word} onChange={setWord} />
        <AccountField label={o.inbound.keywordAccount} add={o.accountField.add} onFound={add} />
      </div>
    </div>
  );
}
