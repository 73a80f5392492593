import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client, dataOf, type Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { useTexts } from "../../format/texts.ts";
import { Badge } from "../../parts/Badge.tsx";
import { Button } from "../../parts/Button.tsx";
import { Code } from "../../parts/Code.tsx";
import { ConfirmDialog } from "../../parts/ConfirmDialog.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { Form } from "../../parts/Form.tsx";
import { Listing, usePage } from "../../parts/Listing.tsx";
import { Page } from "../../parts/Page.tsx";
import { type Column, Table } from "../../parts/Table.tsx";
import { TextField } from "../../parts/TextField.tsx";
import { numberOf } from "../compose/numbers.ts";

export default function Erasures() {
  const t = useMessages();
  return (
    <Page title={t.erasures.title} lead={t.erasures.lead} scope="erasure" hasPeople>
      <EraseForm />
      <Orders />
    </Page>
  );
}

/** How often running orders are looked at, ms. They run for hours. */
const often = 60_000;

function Orders() {
  const t = useMessages();
  return (
    <Listing
      query={usePage(
        ["erasures"],
        "/erasures",
        {},
        {
          refetchInterval: ({ state }) => (state.data?.data.some(({ status }) => status === "RUNNING") ? often : false),
        },
      )}
      empty={<Empty title={t.erasures.none} />}
      isEmptyWhole
    >
      {(data) => <ErasureTable erasures={data} />}
    </Listing>
  );
}

function ErasureTable({ erasures }: { erasures: Schemas["Erasure"][] }) {
  const { t, format } = useTexts();
  const columns: Column<Schemas["Erasure"]>[] = [
    {
      title: t.erasures.number,
      isTitle: true,
      cell: ({ numberEnding }) => <Code>{`…${format.digits(numberEnding)}`}</Code>,
    },
    {
      title: t.erasures.state,
      cell: ({ status }) => <Badge tone={status === "DONE" ? "good" : "busy"}>{t.erasureStatuses[status]}</Badge>,
    },
    { title: t.erasures.found, isWide: true, cell: ({ found }) => <Found of={found} /> },
    { title: t.erasures.by, cell: ({ orderedBy }) => t.erasures.orderers[orderedBy] },
    { title: t.erasures.made, cell: ({ createdAt }) => format.moment(createdAt) },
    { title: t.erasures.done, cell: ({ doneAt }) => (doneAt ? format.moment(doneAt) : "–") },
  ];
  return <Table caption={t.erasures.list} columns={columns} rows={erasures} idOf={({ id }) => id} />;
}

/** What an order has met so far. What it has met nothing of is left out. */
function Found({ of: { blacklisted, ...counts } }: { of: Schemas["Erasure"]["found"] }) {
  const { t, format } = useTexts();
  const met = (Object.keys(counts) as (keyof typeof counts)[])
    .filter((name) => counts[name] > 0)
    .map((name) => t.erasures.met[name](format.number(counts[name])));
  if (blacklisted) met.push(t.erasures.blacklisted);
  return met.join(t.form.comma) || t.erasures.nothing;
}

function EraseForm() {
  const t = useMessages();
  const [text, setText] = useState("");
  const [isTried, setIsTried] = useState(false);
  const [asked, setAsked] = useState<string | null>(null);
  const [isOrdered, setIsOrdered] = useState(false);
  const number = numberOf(text);
  const submit = () => {
    setIsTried(true);
    setIsOrdered(false);
    setAsked(number);
  };
  const done = () => {
    setText("");
    setIsTried(false);
    setIsOrdered(true);
    setAsked(null);
  };
  return (
    <section className="card stack narrow">
      <Form onSubmit={submit}>
        <TextField
          label={t.erasures.number}
          error={isTried && number === null ? t.erasures.noNumber : undefined}
          isCode
          inputMode="tel"
          value={text}
          onChange={setText}
        />
        <div className="actions">
          <span role="status">{isOrdered ? t.erasures.ordered : ""}</span>
          <Button type="submit" kind="danger">
            {t.erasures.erase}
          </Button>
        </div>
      </Form>
      {asked && <EraseDialog number={asked} onDone={done} onClose={() => setAsked(null)} />}
    </section>
  );
}

function EraseDialog({ number, onDone, onClose }: { number: string; onDone: () => void; onClose: () => void }) {
  const { t, format } = useTexts();
  const queryClient = useQueryClient();
  const order = useMutation({
    mutationFn: () => dataOf(client.POST("/erasures", { body: { number } })),
    onSuccess: () => {
      // Messages, conversations and the blacklist have the number no more.
      void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" });
      onDone();
    },
  });
  return (
    <ConfirmDialog
      title={t.erasures.askTitle(`\u2066${format.phone(number)}\u2069`)}
      submit={t.erasures.submit}
      kind="danger"
      change={order}
      onSubmit={() => order.mutate()}
      onClose={onClose}
    >
      <p>{t.erasures.text}</p>
      <ul className="plain">
        {Object.values(t.erasures.goes).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <p className="bad">{t.erasures.forGood}</p>
    </ConfirmDialog>
  );
}
