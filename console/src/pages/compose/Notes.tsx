/** What of a text may not have been meant so, as the service says. */
export function Notes({ of }: { of: string[] }) {
  return of.map((note) => (
    <p key={note} className="note" role="status">
      {note.replaceAll("`", "")}
    </p>
  ));
}
