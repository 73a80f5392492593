import { useState } from "react";
import { client, dataOf, type Schemas } from "../../../api/client.ts";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorMessages } from "../../../base/operator-messages.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Badge } from "../../../parts/Badge.tsx";
import { Button } from "../../../parts/Button.tsx";
import { Code } from "../../../parts/Code.tsx";
import { Confirm } from "../../../parts/ConfirmDialog.tsx";
import { latinDigits } from "../../../parts/digits.ts";
import { Empty } from "../../../parts/Empty.tsx";
import { Form } from "../../../parts/Form.tsx";
import { Heading } from "../../../parts/Heading.tsx";
import { Listing, usePage } from "../../../parts/Listing.tsx";
import { NeedsScope } from "../../../parts/NeedsScope.tsx";
import { type Column, Table } from "../../../parts/Table.tsx";
import { TextField } from "../../../parts/TextField.tsx";

export default function Erasures() {
  const o = useOperatorMessages();
  return (
    <>
      <Heading title={o.pages.erasures} />
      <p className="faint">{o.erasures.lead}</p>
      {useMay("admin:accounts") && <StartForm />}
      <NeedsScope scope="admin:read">
        <Found />
      </NeedsScope>
    </>
  );
}

/** How often the list is asked for again while somebody looks at it, ms. */
const often = 15_000;

function Found() {
  const o = useOperatorMessages();
  return (
    <Listing
      query={usePage(["erasures"], "/admin/erasures", {}, { refetchInterval: often })}
      empty={<Empty title={o.erasures.none} />}
    >
      {(data) => <ErasureTable erasures={data} />}
    </Listing>
  );
}

function ErasureTable({ erasures }: { erasures: Schemas["Erasure"][] }) {
  const { o, format } = useOperatorTexts();
  const columns: Column<Schemas["Erasure"]>[] = [
    {
      title: o.erasures.ending,
      isTitle: true,
      cell: ({ numberEnding }) => <Code>…{format.digits(numberEnding)}</Code>,
    },
    {
      title: o.erasures.status,
      cell: ({ status }) => <Badge tone={status === "DONE" ? "good" : "busy"}>{o.erasures.statuses[status]}</Badge>,
    },
    { title: o.erasures.accounts, isNumber: true, cell: ({ accounts }) => format.number(accounts ?? 0) },
    { title: o.erasures.found, isWide: true, cell: ({ found }) => <ErasureFound of={found} /> },
    { title: o.erasures.asked, cell: ({ createdAt }) => format.moment(createdAt) },
    { title: o.erasures.done, cell: ({ doneAt }) => (doneAt ? format.moment(doneAt) : "–") },
  ];
  return <Table caption={o.pages.erasures} columns={columns} rows={erasures} idOf={({ id }) => id} />;
}

/** What an order has met. What it has met nothing of is left out. */
function ErasureFound({ of }: { of: Schemas["Erasure"]["found"] }) {
  const { o, format } = useOperatorTexts();
  const { blacklisted, ...counts } = of;
  const met = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${o.erasures.parts[name as keyof typeof counts]}: ${format.number(count)}`);
  if (blacklisted) met.push(o.erasures.blacklisted);
  return met.length > 0 ? met.join(" · ") : o.erasures.nothing;
}

function StartForm() {
  const o = useOperatorMessages();
  const [typed, setTyped] = useState("");
  const [isAsked, setIsAsked] = useState(false);
  const number = latinDigits(typed).trim();
  const done = () => {
    setTyped("");
    setIsAsked(false);
  };
  const submit = () => {
    if (number) setIsAsked(true);
  };
  return (
    <Form className="card stack narrow" onSubmit={submit}>
      <div className="row">
        <TextField label={o.erasures.number} isCode inputMode="tel" value={typed} onChange={setTyped} />
        <Button kind="danger" type="submit">
          {o.erasures.open}
        </Button>
      </div>
      {isAsked && (
        <Confirm
          title={o.erasures.title(number)}
          submit={o.erasures.submit}
          kind="danger"
          ask={() => dataOf(client.POST("/admin/erasures", { body: { number } }))}
          stale={[["erasures"]]}
          onDone={done}
          onClose={() => setIsAsked(false)}
        >
          <p>{o.erasures.text}</p>
        </Confirm>
      )}
    </Form>
  );
}
