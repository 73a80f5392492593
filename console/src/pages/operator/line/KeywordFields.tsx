import { useState } from "react";
import type { Schemas } from "../../../api/client.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { Button } from "../../../parts/Button.tsx";
import { TextField } from "../../../parts/TextField.tsx";
import { AccountField } from "../shared/AccountField.tsx";
import { useUsernames } from "../shared/accounts.ts";

type Keywords = Schemas["LineInbound"]["keywords"];

export function KeywordFields({ keywords, onChange }: { keywords: Keywords; onChange: (keywords: Keywords) => void }) {
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
        <TextField label={o.inbound.keyword} autoComplete="off" value={word} onChange={setWord} />
        <AccountField label={o.inbound.keywordAccount} add={o.accountField.add} onFound={add} />
      </div>
    </div>
  );
}
