import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../api/session-context.ts";
import { useTexts } from "../../format/texts.ts";
import { useLine } from "../campaigns/line.ts";
import type { CampaignDetail } from "../campaigns/queries.ts";
import { sampleOf } from "../campaigns/sample.ts";
import { usePattern } from "../compose/composition.ts";
import { Notes } from "../compose/Notes.tsx";
import { allPhonebooksQuery, estimatesQuery } from "../compose/queries.ts";
import { Samples } from "../compose/Samples.tsx";
import { filled } from "../compose/sends.ts";
import { sumOf } from "../compose/sum.ts";

type Props = { campaign: CampaignDetail };

/** The text as people get it: with their own values, and with what the line appends. */
export function AsItGoes({ campaign }: Props) {
  return campaign.message === null ? (
    <PatternText campaign={campaign} />
  ) : (
    <OwnText {...campaign} message={campaign.message} />
  );
}

/** All people get the same of a pattern. */
function PatternText({ campaign: { pattern, variables = {} } }: Props) {
  const { t } = useTexts();
  const { version } = usePattern({ kind: "pattern", pattern: pattern ?? "", values: variables });
  return version ? (
    <Samples title={t.compose.patternText} samples={[filled(version.text, variables)]} text={version.text} />
  ) : null;
}

/** A text that no message can show filled in stands as it was written. */
function OwnText({ message, sourceNumber, phonebooks }: CampaignDetail & { message: string }) {
  const { t } = useTexts();
  const line = useLine(sourceNumber);
  const { data: books = [] } = useQuery({ ...allPhonebooksQuery, enabled: useMay("phonebook") });
  const { sends } = sampleOf({ message, sourceNumber: sourceNumber ?? "", phonebooks }, books);
  const { data: estimates = [] } = useQuery({
    ...estimatesQuery(sends),
    enabled: useMay("sms:send") && sends.length > 0,
  });
  const { samples, warnings } = sumOf(estimates);
  return (
    <>
      <Samples title={t.campaign.samples} samples={samples.length > 0 ? samples : [message]} text={message} />
      {line?.suffix && <p className="hint">{t.campaign.suffix(line.suffix)}</p>}
      <Notes of={warnings} />
    </>
  );
}
