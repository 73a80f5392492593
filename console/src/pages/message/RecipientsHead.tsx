import { answer } from "../../api/client.ts";
import { filled } from "../../api/queries.ts";
import { DownloadButton } from "../../parts/DownloadButton.tsx";
import { useRecipientColumns } from "../export/columns.ts";
import { forExcel } from "../export/excel.ts";
import { RecipientFilters, useRecipientFilters } from "./RecipientTable.tsx";

type Props = {
  title: string;
  /** Asks for the recipients as a file. */
  file: (query: { format: "csv" }) => Promise<{ data?: unknown }>;
};

/** The heading of recipients: what narrows them down, and the file of those that are left. */
export function RecipientsHead({ title, file }: Props) {
  const { filters } = useRecipientFilters();
  const columns = useRecipientColumns();
  const ask = async () => {
    const table = await answer(file({ ...filled(filters), format: "csv" }) as Promise<{ data: Blob }>);
    return forExcel(table, columns);
  };
  return (
    <>
      <div className="heading">
        <h2>{title}</h2>
        <div className="download">
          <DownloadButton name="peyk-recipients.csv" ask={ask} />
        </div>
      </div>
      <RecipientFilters />
    </>
  );
}
