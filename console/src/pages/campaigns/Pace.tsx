import { useMessages } from "../../base/messages.ts";
import { Schedule } from "../compose/Schedule.tsx";
import type { PartProps } from "./faults.ts";
import { LimitFields } from "./LimitFields.tsx";
import { useLine } from "./line.ts";

/** When it begins, in which hours it goes on, how fast, what it may cost, and what stops it. */
export function Pace({ draft, faults, onChange }: PartProps) {
  const t = useMessages();
  const line = useLine(draft.line || null);
  return (
    <section className="card stack">
      <h2>{t.newCampaign.pace}</h2>
      <Schedule draft={draft} error={faults.when} onChange={onChange} />
      <LimitFields
        value={draft}
        faults={faults}
        lineHours={draft.kind === "pattern" ? null : line?.hours}
        onChange={onChange}
      />
    </section>
  );
}
