import type { Schemas } from "../../api/client.ts";
import { useSession } from "../../api/session-context.ts";
import { useMessages } from "../../base/messages.ts";
import { goTo, href, useRoute } from "../../base/router.ts";
import { useTexts } from "../../format/texts.ts";
import { Code } from "../../parts/Code.tsx";
import { directionOf } from "../../parts/direction.ts";
import { Empty } from "../../parts/Empty.tsx";
import { Listing, usePage } from "../../parts/Listing.tsx";
import { Page } from "../../parts/Page.tsx";
import { type Column, Table } from "../../parts/Table.tsx";
import { NewPattern } from "./NewPattern.tsx";
import { activeOf, newestOf, PatternBadges } from "./PatternBadge.tsx";

export default function Patterns() {
  const t = useMessages();
  const { mode, scopes } = useSession();
  const { path, query } = useRoute();
  const mayCreate = scopes.includes("pattern") && mode === "live";
  const isCreating = mayCreate && query.has("new");
  return (
    <Page
      title={t.patterns.title}
      lead={t.patterns.lead}
      scope="pattern"
      acts={
        mayCreate &&
        !isCreating && (
          <a className="button main" href={href(path, { new: "1" })}>
            {t.patterns.create}
          </a>
        )
      }
    >
      {mode === "test" && <p className="note">{t.patterns.testKey}</p>}
      {isCreating && <NewPattern onClose={() => goTo(path)} />}
      <PatternList />
    </Page>
  );
}

function PatternList() {
  const t = useMessages();
  return (
    <Listing
      query={usePage(["patterns", "list"], "/pattern")}
      empty={<Empty title={t.patterns.none} text={t.patterns.noneText} />}
      isEmptyWhole
    >
      {(data) => <PatternTable patterns={data} />}
    </Listing>
  );
}

type Pattern = Schemas["Pattern"];

function PatternTable({ patterns }: { patterns: Pattern[] }) {
  const { t, format } = useTexts();
  const columns: Column<Pattern>[] = [
    { title: t.patterns.column, isTitle: true, cell: (pattern) => <TitleLink of={pattern} /> },
    { title: t.patterns.state, cell: (pattern) => <PatternBadges of={pattern} /> },
    { title: t.patterns.text, isWide: true, cell: (pattern) => <TextOf pattern={pattern} /> },
    { title: t.patterns.slug, cell: ({ slug }) => <Code className="uid">{slug}</Code> },
    {
      title: t.patterns.versions,
      isNumber: true,
      cell: (pattern) => format.number(newestOf(pattern)?.version ?? 0),
    },
  ];
  return <Table caption={t.patterns.list} columns={columns} rows={patterns} idOf={({ slug }) => slug} />;
}

function TitleLink({ of: { slug, title } }: { of: Pattern }) {
  return (
    <a href={href(`/patterns/${slug}`)} dir={directionOf(title)}>
      {title}
    </a>
  );
}

function TextOf({ pattern }: { pattern: Pattern }) {
  const text = (activeOf(pattern) ?? newestOf(pattern))?.text;
  return text ? (
    <span className="cut-after-two" dir={directionOf(text)}>
      {text}
    </span>
  ) : (
    "–"
  );
}
