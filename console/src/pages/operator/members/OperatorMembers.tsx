import { useState } from "react";
import { answer, client, dataOf, type Schemas } from "../../../api/client.ts";
import { useMay } from "../../../api/session-context.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { Button } from "../../../parts/Button.tsx";
import { Code } from "../../../parts/Code.tsx";
import { Empty } from "../../../parts/Empty.tsx";
import { Listing, usePage } from "../../../parts/Listing.tsx";
import { Page } from "../../../parts/Page.tsx";
import { type Column, Table } from "../../../parts/Table.tsx";
import { ScopeChecks } from "../../keys/ScopeChecks.tsx";
import { forADay, LinkButton, MemberLink } from "../../members/MemberLink.tsx";
import { PersonForm } from "../../members/PersonForm.tsx";
import { RemoveDialog } from "../../members/RemoveDialog.tsx";
import { useOwnScopes } from "../shared/keys/own-scopes.ts";

type OperatorMember = Schemas["OperatorMember"];

export default function OperatorMembers() {
  const { t, o } = useOperatorTexts();
  const mayChange = useMay("admin:service");
  return (
    <Page
      title={o.pages.members}
      lead={o.members.lead}
      scope="admin:read"
      adds={mayChange && t.members.add}
      form={(close) => <AddForm onClose={close} />}
    >
      <MemberList mayChange={mayChange} />
    </Page>
  );
}

function MemberList({ mayChange }: { mayChange: boolean }) {
  const { t, o } = useOperatorTexts();
  const [linked, setLinked] = useState<OperatorMember | null>(null);
  const [removed, setRemoved] = useState<OperatorMember | null>(null);
  const acts = { onLink: setLinked, onRemove: setRemoved };
  return (
    <>
      {linked && (
        <MemberLink
          key={linked.id}
          of={linked}
          make={() =>
            dataOf(client.POST("/admin/members/{id}/link", { params: { path: { id: linked.id } }, body: forADay }))
          }
          onClose={() => setLinked(null)}
        />
      )}
      <Listing
        query={usePage(["members", "operators"], "/admin/members")}
        empty={
          <Empty title={t.members.none}>
            <p>{o.members.noneText}</p>
          </Empty>
        }
      >
        {(data) => (
          <>
            <OperatorTable members={data} {...(mayChange ? acts : {})} />
            {removed && (
              <RemoveDialog
                of={removed}
                remove={(query) =>
                  answer(client.DELETE("/admin/members/{id}", { params: { path: { id: removed.id }, query } }))
                }
                onClose={() => setRemoved(null)}
              />
            )}
          </>
        )}
      </Listing>
    </>
  );
}

type Act = (member: OperatorMember) => void;
type Props = { members: OperatorMember[]; onLink?: Act; onRemove?: Act };

function OperatorTable({ members, onLink, onRemove }: Props) {
  const { t, o, format } = useOperatorTexts();
  const names: Record<string, string> = o.scopes;
  const columns: Column<OperatorMember>[] = [
    { title: t.members.name, isTitle: true, cell: ({ name }) => <b dir="auto">{name}</b> },
    { title: t.members.phone, cell: ({ phone }) => <Code>{format.phone(phone)}</Code> },
    {
      title: t.keys.scopes,
      isWide: true,
      cell: ({ scopes }) => scopes.map((scope) => names[scope] ?? scope).join(" · "),
    },
    { title: t.members.since, cell: ({ createdAt }) => format.moment(createdAt) },
  ];
  if (onRemove)
    columns.push({
      title: t.members.change,
      cell: (member) => (
        <span className="actions">
          {onLink && <LinkButton of={member} onLink={onLink} />}
          <Button
            kind="link"
            className="bad"
            aria-label={t.members.removeOf(member.name)}
            onPress={() => onRemove(member)}
          >
            {t.members.remove}
          </Button>
        </span>
      ),
    });
  return <Table caption={o.members.list} columns={columns} rows={members} idOf={({ id }) => id} />;
}

function AddForm({ onClose }: { onClose: () => void }) {
  const names = useOwnScopes();
  const [scopes, setScopes] = useState<Schemas["OperatorScope"][]>([]);
  const areMissing = scopes.length === 0;
  return (
    <PersonForm
      rights={(isTried) => (
        <ScopeChecks names={names} value={scopes} onChange={setScopes} isMissing={isTried && areMissing} />
      )}
      hasRights={!areMissing}
      add={(person) => dataOf(client.POST("/admin/members", { body: { ...person, scopes } }))}
      onClose={onClose}
    />
  );
}
