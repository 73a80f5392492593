import type { Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { href } from "../../base/router.ts";
import { useFormat } from "../../format/format.ts";
import { Code } from "../../parts/Code.tsx";
import { directionOf } from "../../parts/direction.ts";
import { type Column, Table } from "../../parts/Table.tsx";
import { activeOf, newestOf, PatternBadges } from "./PatternBadge.tsx";

type Pattern = Schemas["Pattern"];

export function PatternTable({ patterns }: { patterns: Pattern[] }) {
  const t = useMessages();
  const format = useFormat();
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
    <a href={href(`/patterns/${slug}`)} dir="auto">
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
