import { useState } from "react";
import { answer, client, type Schemas } from "../../api/client.ts";
import { useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { useTexts } from "../../format/texts.ts";
import { Badge } from "../../parts/Badge.tsx";
import { Confirm } from "../../parts/ConfirmDialog.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { Filters, useFilters } from "../../parts/Filters.tsx";
import { keepFilled } from "../../parts/keep-filled.ts";
import { Listing, usePage } from "../../parts/Listing.tsx";
import { Page } from "../../parts/Page.tsx";
import { Phone } from "../../parts/Phone.tsx";
import { RowAct } from "../../parts/RowAct.tsx";
import { SearchField } from "../../parts/SearchField.tsx";
import { type Column, Table } from "../../parts/Table.tsx";
import { BlockForm } from "./BlockForm.tsx";

export default function Blacklist() {
  const t = useMessages();
  const { mode, scopes } = useSession();
  const mayAdd = mode === "live" && scopes.includes("blacklist");
  return (
    <Page
      title={t.blacklist.title}
      lead={t.blacklist.lead}
      scope="blacklist"
      hasPeople
      adds={mayAdd && t.blacklist.add}
      form={(close) => <BlockForm onClose={close} />}
    >
      <Search />
      <Found />
    </Page>
  );
}

const useNumberFilter = () => useFilters(["number"]);

function Search() {
  const t = useMessages();
  const { at, clear } = useNumberFilter();
  return (
    <Filters onClear={clear}>
      <SearchField label={t.blacklist.number} inputMode="tel" {...at("number")} />
    </Filters>
  );
}

function Found() {
  const t = useMessages();
  const [freed, setFreed] = useState<Schemas["BlockedNumber"] | null>(null);
  const { number } = useNumberFilter().filters;
  const list = usePage(["blacklist", "list"], "/blacklist", { query: { number } }, { placeholderData: keepFilled });
  return (
    <Listing
      query={list}
      empty={<Empty title={number ? t.blacklist.noneFound : t.blacklist.none} text={!number && t.blacklist.noneText} />}
      isEmptyWhole
    >
      {(data) => (
        <>
          <BlockedTable numbers={data} onFree={setFreed} />
          {freed && <UnblockDialog of={freed} onClose={() => setFreed(null)} />}
        </>
      )}
    </Listing>
  );
}

type Props = { numbers: Schemas["BlockedNumber"][]; onFree: (number: Schemas["BlockedNumber"]) => void };

function BlockedTable({ numbers, onFree }: Props) {
  const { t, format } = useTexts();
  const columns: Column<Schemas["BlockedNumber"]>[] = [
    { title: t.blacklist.number, isTitle: true, cell: ({ number }) => <Phone of={number} /> },
    {
      title: t.blacklist.by,
      isWide: true,
      cell: ({ optOut }) => (
        <Badge tone={optOut ? "warn" : "calm"}>{optOut ? t.blacklist.byOwner : t.blacklist.byAccount}</Badge>
      ),
    },
    { title: t.blacklist.time, cell: ({ createdAt }) => format.moment(createdAt) },
    {
      title: t.blacklist.remove,
      cell: (blocked) => (
        <RowAct
          isBad
          text={t.blacklist.remove}
          label={t.blacklist.removeOf(format.phone(blocked.number))}
          onPress={() => onFree(blocked)}
        />
      ),
    },
  ];
  return <Table caption={t.blacklist.list} columns={columns} rows={numbers} idOf={({ number }) => number} />;
}

function UnblockDialog({ of, onClose }: { of: Schemas["BlockedNumber"]; onClose: () => void }) {
  const { t, format } = useTexts();
  return (
    <Confirm
      title={t.blacklist.removeTitle(`\u2066${format.phone(of.number)}\u2069`)}
      submit={t.blacklist.removeSubmit}
      kind={of.optOut ? "danger" : "main"}
      ask={() => answer(client.DELETE("/blacklist", { params: { query: { number: of.number } } }))}
      stale={[["blacklist"]]}
      onClose={onClose}
    >
      <p>{t.blacklist.removeText}</p>
      {of.optOut && <p className="bad">{t.blacklist.removeOptOut}</p>}
    </Confirm>
  );
}
