import type { ReactNode } from "react";

export type Tile = { title: string; value: ReactNode; note?: ReactNode };

/** The few numbers that people look for first. */
export function Tiles({ tiles }: { tiles: Tile[] }) {
  return (
    <dl className="tiles">
      {tiles.map(({ title, value, note }) => (
        <div key={title} className="card">
          <dt>{title}</dt>
          <dd>
            <strong>{value}</strong>
            {note && <small>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
