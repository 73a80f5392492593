import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../../../api/client.ts";
import { dataQuery } from "../../../api/queries.ts";
import { href } from "../../../base/router.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { isSimulated, RecipientBadge, StatusBadge } from "../../../parts/Badge.tsx";
import { Code } from "../../../parts/Code.tsx";
import { Empty } from "../../../parts/Empty.tsx";
import { useShownText } from "../../../parts/erased.ts";
import { Facts } from "../../../parts/Facts.tsx";
import { Filters, useFilters } from "../../../parts/Filters.tsx";
import { keepFilled } from "../../../parts/keep-filled.ts";
import { Listing, usePage } from "../../../parts/Listing.tsx";
import { Loaded } from "../../../parts/Loaded.tsx";
import { Phone } from "../../../parts/Phone.tsx";
import { SearchField } from "../../../parts/SearchField.tsx";
import { choicesOf, FilterSelect } from "../../../parts/Select.tsx";
import { type Column, Table } from "../../../parts/Table.tsx";
import { MessageTable } from "../../messages/MessageTable.tsx";

type Props = { account: Schemas["Account"] };

const useSupportFilters = () => useFilters(["status", "recipient", "uid"]);

/** The messages of an account, or the one whose id the address names, with the carriers of its recipients. */
export function AccountMessages({ account }: Props) {
  const { t, o } = useOperatorTexts();
  const { at, clear, filters } = useSupportFilters();
  return (
    <>
      <p className="hint">{o.support.noted}</p>
      <Filters onClear={clear}>
        <FilterSelect label={t.messages.status} choices={choicesOf(t.statuses)} {...at("status")} />
        <SearchField label={t.messages.recipient} inputMode="tel" {...at("recipient")} />
        <SearchField label={o.support.uid} {...at("uid")} />
      </Filters>
      {filters.uid ? <OneMessage id={account.id} uid={filters.uid} /> : <Found id={account.id} />}
    </>
  );
}

function Found({ id }: { id: string }) {
  const { t } = useOperatorTexts();
  const {
    filters: { status, recipient },
    isFiltered,
  } = useSupportFilters();
  const list = usePage(
    ["support", "messages"],
    "/admin/accounts/{id}/messages",
    { path: { id }, query: { status, recipient } },
    { placeholderData: keepFilled },
  );
  return (
    <Listing query={list} empty={<Empty title={isFiltered ? t.messages.noneFound : t.messages.none} />} isEmptyWhole>
      {(data) => (
        <MessageTable
          caption={t.messages.list}
          messages={data}
          to={({ uid }) => href(`/accounts/${id}/messages`, { uid })}
        />
      )}
    </Listing>
  );
}

function OneMessage({ id, uid }: { id: string; uid: string }) {
  const message = useQuery(
    dataQuery(["support", "message"], "/admin/accounts/{id}/messages/{uid}", { path: { id, uid } }),
  );
  return (
    <Loaded query={message}>
      {(message) => (
        <>
          <Head message={message} />
          <People id={id} message={message} />
        </>
      )}
    </Loaded>
  );
}

function Head({ message }: { message: Schemas["MessageDetail"] }) {
  const { t, o, format } = useOperatorTexts();
  const shown = useShownText();
  return (
    <section className="card stack">
      <h2>
        <StatusBadge of={message} />
      </h2>
      <p {...shown(message.message)} />
      <Facts
        facts={[
          [t.messages.time, format.moment(message.sendAt ?? message.createdAt)],
          [t.messages.line, <Code key="line">{format.digits(message.sourceNumber)}</Code>],
          [t.messages.people, format.number(message.recipientCount)],
          [t.messages.cost, format.money(message.cost, message.unit)],
          [
            o.support.uid,
            <Code key="uid" className="uid">
              {message.uid}
            </Code>,
          ],
        ]}
      />
    </section>
  );
}

function People({ id, message }: { id: string; message: Schemas["MessageDetail"] }) {
  const { t } = useOperatorTexts();
  const list = usePage(
    ["support", "recipients"],
    "/admin/accounts/{id}/messages/{uid}/recipients",
    { path: { id, uid: message.uid } },
    { placeholderData: keepFilled },
  );
  return (
    <section className="card stack">
      <h2>{t.message.recipients}</h2>
      <Listing query={list} isPart empty={<Empty title={t.message.noRecipients} />}>
        {(data) => <RecipientTable recipients={data} message={message} />}
      </Listing>
    </section>
  );
}

type Recipient = Schemas["OperatorsRecipient"];

type TableProps = { recipients: Recipient[]; message: Schemas["MessageDetail"] };

function RecipientTable({ recipients, message }: TableProps) {
  const { t, o, format } = useOperatorTexts();
  const columns: Column<Recipient>[] = [
    { title: t.messages.recipient, isTitle: true, cell: ({ recipient }) => <Phone of={recipient} /> },
    {
      title: t.messages.status,
      cell: ({ status }) => <RecipientBadge status={status} isSimulated={isSimulated(message)} />,
    },
    { title: t.message.reason, isWide: true, isText: true, cell: ({ error }) => (error ? t.reasons[error] : "–") },
    {
      title: o.support.carrier,
      cell: ({ carrier, errorCode }) => (
        <Code>{[carrier, errorCode].filter((word) => word !== null).join(" · ") || "–"}</Code>
      ),
    },
    { title: t.messages.cost, isNumber: true, cell: ({ cost }) => format.money(cost, message.unit) },
    { title: t.message.updated, cell: ({ updatedAt }) => format.moment(updatedAt) },
  ];
  return <Table caption={t.message.recipients} columns={columns} rows={recipients} idOf={({ uid }) => uid} />;
}
