import { useMessages } from "../../base/messages.ts";
import { useFormat } from "../../format/format.ts";
import { Confirm } from "../../parts/ConfirmDialog.tsx";
import { directionOf } from "../../parts/direction.ts";
import { activeOf } from "./PatternBadge.tsx";
import { activate, type Pattern, type Version } from "./queries.ts";

type Props = { pattern: Pattern; version: Version; onClose: () => void };

export function ActivateDialog({ pattern, version, onClose }: Props) {
  const t = useMessages();
  const format = useFormat();
  const active = activeOf(pattern);
  const number = format.number(version.version);
  return (
    <Confirm
      title={t.patterns.activateTitle(number)}
      submit={t.patterns.activateSubmit(number)}
      ask={() => activate(pattern.slug, version.version)}
      stale={[["patterns"]]}
      onClose={onClose}
    >
      <p>{active ? t.patterns.activateInPlace(format.number(active.version)) : t.patterns.activateText}</p>
      <p className="message-text" dir={directionOf(version.text)}>
        {version.text}
      </p>
    </Confirm>
  );
}
