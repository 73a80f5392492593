import { useTexts } from "../../format/texts.ts";
import { Select } from "../../parts/Select.tsx";

const day = 86_400_000;
const spans = ["never", "30", "90", "365"];

/** When a key with this span ends, for the body of a request. */
export const endOf = (span: string) =>
  span === "never" ? {} : { expiresAt: new Date(Date.now() + Number(span) * day).toISOString() };

export function SpanSelect({ value, onChange }: { value: string; onChange: (span: string) => void }) {
  const { t, format } = useTexts();
  const choices = spans.map((id) => ({
    id,
    text: id === "never" ? t.keys.never : t.keys.inDays(format.number(Number(id))),
  }));
  return <Select label={t.keys.expires} value={value} choices={choices} onChange={onChange} />;
}
