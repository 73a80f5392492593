import { answer, client, type Schemas } from "../../api/client.ts";
import { useMessages } from "../../base/messages.ts";
import { useFormat } from "../../format/format.ts";
import { Confirm } from "../../parts/ConfirmDialog.tsx";
import { directionOf } from "../../parts/direction.ts";
import { activeOf } from "./PatternBadge.tsx";

type Props = { pattern: Schemas["Pattern"]; version: Schemas["PatternVersion"]; onClose: () => void };

export function ActivateDialog({ pattern, version, onClose }: Props) {
  const t = useMessages();
  const format = useFormat();
  const active = activeOf(pattern);
  const number = format.number(version.version);
  return (
    <Confirm
      title={t.patterns.activateTitle(number)}
      submit={t.patterns.activateSubmit(number)}
      ask={() =>
        answer(
          client.POST("/pattern/{slug}/versions/{n}/activate", {
            params: { path: { slug: pattern.slug, n: version.version } },
          }),
        )
      }
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
