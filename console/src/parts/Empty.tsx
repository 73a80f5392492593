type Props = { title: string; text?: string | false | undefined };

/** In the place of a list that has nothing. */
export function Empty({ title, text }: Props) {
  return (
    <section className="state">
      <h2>{title}</h2>
      {text && <p>{text}</p>}
    </section>
  );
}
