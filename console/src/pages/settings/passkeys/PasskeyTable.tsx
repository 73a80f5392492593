import type { Schemas } from "../../../api/client.ts";
import { useMessages } from "../../../base/messages.ts";
import { useFormat } from "../../../format/format.ts";
import { Button } from "../../../parts/Button.tsx";
import { type Column, Table } from "../../../parts/Table.tsx";

type Passkey = Schemas["Passkey"];

type Props = { passkeys: Passkey[]; onRename: (passkey: Passkey) => void; onRemove: (passkey: Passkey) => void };

export function PasskeyTable({ passkeys, onRename, onRemove }: Props) {
  const t = useMessages();
  const format = useFormat();
  const columns: Column<Passkey>[] = [
    { title: t.passkeys.name, isWide: true, isTitle: true, cell: ({ title }) => <b dir="auto">{title}</b> },
    { title: t.passkeys.added, cell: ({ createdAt }) => format.moment(createdAt) },
    { title: t.passkeys.used, cell: ({ usedAt }) => (usedAt ? format.ago(usedAt) : t.passkeys.neverUsed) },
    {
      title: t.passkeys.change,
      cell: (passkey) => (
        <span className="actions">
          <Button kind="link" aria-label={t.passkeys.renameOf(passkey.title)} onPress={() => onRename(passkey)}>
            {t.passkeys.rename}
          </Button>
          <Button
            kind="link"
            className="bad"
            aria-label={t.passkeys.removeOf(passkey.title)}
            onPress={() => onRemove(passkey)}
          >
            {t.passkeys.remove}
          </Button>
        </span>
      ),
    },
  ];
  return <Table caption={t.passkeys.title} columns={columns} rows={passkeys} idOf={({ id }) => id} />;
}
