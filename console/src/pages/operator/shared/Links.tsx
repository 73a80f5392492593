import { href } from "../../../base/router.ts";
import { useOperatorTexts } from "../../../format/operator-texts.ts";
import { useSpans } from "../../../format/spans.ts";
import { Code } from "../../../parts/Code.tsx";

export function CarrierLink({ name }: { name: string }) {
  return (
    <a href={href(`/carriers/${name}`)}>
      <Code>{name}</Code>
    </a>
  );
}

export const linePath = (number: string) => `/lines/${encodeURIComponent(number)}`;

export function LineLink({ number }: { number: string }) {
  const { format } = useOperatorTexts();
  return (
    <a href={href(linePath(number))}>
      <Code>{format.digits(number)}</Code>
    </a>
  );
}

/** How many recipients wait for a line or a carrier, and since when. */
export function Waiting({ of }: { of: { recipients: number; oldestSeconds: number | null } }) {
  const { o, format } = useOperatorTexts();
  const { span } = useSpans();
  return (
    <span className="two-lines">
      {format.number(of.recipients)}
      {of.oldestSeconds !== null && <small>{o.carriers.oldest(span(of.oldestSeconds))}</small>}
    </span>
  );
}
