import { useChange } from "../../api/change.ts";
import { answer, client } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { Button } from "../../parts/Button.tsx";
import { ProblemText } from "../../parts/Failure.tsx";
import { handOver } from "../../parts/hand-over.ts";

/** The file needs the header of the console, which a link can't send: so it is fetched first and handed over then. */
export function DownloadButton({ query }: { query: object }) {
  const t = useMessages();
  const download = useChange(
    () =>
      answer<Blob>(
        client.GET("/account/transactions", { params: { query: { ...query, format: "csv" } }, parseAs: "blob" }),
      ),
    { onDone: (file) => handOver(file, "peyk-transactions.csv") },
  );
  return (
    <div className="download">
      <Button kind="quiet" isPending={download.isPending} onPress={() => download.mutate()}>
        {download.isPending ? t.wallet.downloading : t.wallet.csv}
      </Button>
      {download.error && <ProblemText error={download.error} />}
    </div>
  );
}
