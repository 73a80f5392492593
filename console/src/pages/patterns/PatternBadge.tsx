import type { Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { Badge, type Tone } from "../../parts/Badge.tsx";

type Version = Schemas["PatternVersion"];

const tones: Record<Version["status"], Tone> = {
  ACTIVE: "good",
  PENDING: "warn",
  REFUSED: "bad",
  DRAFT: "busy",
  RETIRED: "calm",
};

export function VersionBadge({ status }: { status: Version["status"] }) {
  const t = useMessages();
  return <Badge tone={tones[status]}>{t.versionStatuses[status]}</Badge>;
}

export const activeOf = ({ versions }: Schemas["Pattern"]) => versions.find(({ status }) => status === "ACTIVE");

export const newestOf = ({ versions }: Schemas["Pattern"]) =>
  versions.reduce<Version | undefined>(
    (newest, item) => (item.version > (newest?.version ?? 0) ? item : newest),
    undefined,
  );

/** What a pattern is as a whole: the state of what sends use, and of a newer version that waits to be approved. */
export function PatternBadges({ of }: { of: Schemas["Pattern"] }) {
  const t = useMessages();
  const newest = newestOf(of);
  const active = activeOf(of);
  if (!newest) return <Badge tone="calm">{t.patterns.withoutText}</Badge>;
  return (
    <span className="badges">
      <VersionBadge status={(active ?? newest).status} />
      {active && newest.status === "PENDING" && <Badge tone="warn">{t.patterns.newerWaits}</Badge>}
    </span>
  );
}
