import { directionOf } from "../../parts/direction.ts";

type Props = {
  title: string;
  samples: string[];
  /** The text as it was written, which says in which direction they go. */
  text: string;
};

/** Texts as people get them, with their own values. */
export function Samples({ title, samples, text }: Props) {
  return (
    <div className="stack samples">
      <h3>{title}</h3>
      {samples.map((sample, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two people may get the same text.
        <p key={place} className="message-text" dir={directionOf(text)}>
          {sample}
        </p>
      ))}
    </div>
  );
}
