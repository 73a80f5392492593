import { useChange } from "../api/change.ts";
import { useMessages } from "../base/messages.ts";
import { Button } from "./Button.tsx";
import { ProblemText } from "./Failure.tsx";
import { handOver } from "./hand-over.ts";

type Props = {
  /** How the file is called. */
  name: string;
  ask: () => Promise<Blob>;
};

/** The file needs the header of the console, which a link can't send: so it is fetched first and handed over then. */
export function DownloadButton({ name, ask }: Props) {
  const t = useMessages();
  const download = useChange({ ask, onDone: (file) => handOver(file, name) });
  return (
    <>
      <Button kind="quiet" isPending={download.isPending} onPress={() => download.mutate()}>
        {download.isPending ? t.form.downloading : t.form.csv}
      </Button>
      {download.error && <ProblemText error={download.error} />}
    </>
  );
}
