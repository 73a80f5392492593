import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { Schemas } from "../../api/client.ts";
import { useTexts } from "../../format/texts.ts";
import { Empty } from "../../parts/Empty.tsx";
import { Listing } from "../../parts/Listing.tsx";
import { Phone } from "../../parts/Phone.tsx";
import { RowAct } from "../../parts/RowAct.tsx";
import { type Column, Table } from "../../parts/Table.tsx";
import { MemberLink } from "./MemberLink.tsx";
import { RemoveDialog } from "./RemoveDialog.tsx";

type AnyMember = Pick<Schemas["Member"], "id" | "name" | "phone" | "createdAt" | "lastSignInAt">;

type Props<Member> = {
  caption: string;
  query: UseQueryResult<{ data: Member[]; meta: Schemas["PageMeta"] }>;
  noneText: string;
  /** What stands beside a name. */
  badges?: (member: Member) => ReactNode;
  /** What somebody may do. */
  rights: Column<Member>;
  mayChange: boolean;
  /** What else can be done to somebody. */
  acts?: (member: Member) => ReactNode;
  /** Asks for a link that signs somebody in. */
  link?: (id: string) => Promise<{ url: string }>;
  remove: (id: string, query: { cascade?: "true" }) => Promise<unknown>;
};

/** The people of an account or of the service. */
export function PeopleList<Member extends AnyMember>({ query, noneText, link, remove, ...of }: Props<Member>) {
  const { t, format } = useTexts();
  const [linked, setLinked] = useState<Member | null>(null);
  const [removed, setRemoved] = useState<Member | null>(null);
  const columns: Column<Member>[] = [
    {
      title: t.members.name,
      isWide: !of.rights.isWide,
      isTitle: true,
      cell: (member) => (
        <span className="text-link">
          <b dir="auto">{member.name}</b>
          {of.badges?.(member)}
        </span>
      ),
    },
    { title: t.members.phone, cell: ({ phone }) => <Phone of={phone} /> },
    of.rights,
    { title: t.members.since, cell: ({ createdAt }) => format.day(createdAt) },
    { title: t.members.lastSignIn, cell: ({ lastSignInAt }) => (lastSignInAt ? format.moment(lastSignInAt) : "–") },
  ];
  if (of.mayChange)
    columns.push({
      title: t.members.change,
      cell: (member) => (
        <span className="actions many">
          {of.acts?.(member)}
          {link && (
            <RowAct text={t.members.link} label={t.members.linkOf(member.name)} onPress={() => setLinked(member)} />
          )}
          <RowAct
            isBad
            text={t.members.remove}
            label={t.members.removeOf(member.name)}
            onPress={() => setRemoved(member)}
          />
        </span>
      ),
    });
  return (
    <>
      {linked && link && (
        <MemberLink key={linked.id} of={linked} make={() => link(linked.id)} onClose={() => setLinked(null)} />
      )}
      <Listing query={query} empty={<Empty title={t.members.none} text={noneText} />}>
        {(members) => (
          <>
            <Table caption={of.caption} columns={columns} rows={members} idOf={({ id }) => id} />
            {removed && (
              <RemoveDialog
                of={removed}
                remove={(query) => remove(removed.id, query)}
                onClose={() => setRemoved(null)}
              />
            )}
          </>
        )}
      </Listing>
    </>
  );
}
