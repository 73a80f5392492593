import { useChange } from "../../api/change.ts";
import { answer, client, type Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { Button } from "../../parts/Button.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { handOver } from "../../parts/hand-over.ts";

/** What a file's name may not have on some system. */
const unfit = /[\\/:*?"<>|]/g;

export function ExportButton({ phonebook }: { phonebook: Schemas["Phonebook"] }) {
  const t = useMessages();
  const download = useChange(
    () =>
      answer<Blob>(client.GET("/phonebook/{id}/export", { params: { path: { id: phonebook.id } }, parseAs: "blob" })),
    {
      onDone: (file) => handOver(file, `${phonebook.title.replace(unfit, "-")}.csv`),
    },
  );
  return (
    <>
      <Button kind="quiet" isPending={download.isPending} onPress={() => download.mutate()}>
        {download.isPending ? t.wallet.downloading : t.wallet.csv}
      </Button>
      {download.error && <ProblemText error={download.error} />}
    </>
  );
}
