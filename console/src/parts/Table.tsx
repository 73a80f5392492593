import type { ReactNode } from "react";

export type Column<Row> = {
  title: string;
  cell: (row: Row) => ReactNode;
  /** Numbers stand under each other at the end of their column. */
  isNumber?: boolean;
  /** The widest column takes the room that others leave. */
  isWide?: boolean;
  /** A text that may need more than one line. */
  isText?: boolean;
  /** What a row is known by. On a card it stands first, without the title of its column. */
  isTitle?: boolean;
};

/** A column of numbers. */
export const numbers = <Row,>(title: string, cell: Column<Row>["cell"]): Column<Row> => ({
  title,
  cell,
  isNumber: true,
});

type Props<Row> = {
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  idOf: (row: Row) => string;
  /** A few narrow columns have room on a phone, too: their rows are no cards anywhere. */
  isSmall?: boolean;
};

const classOf = <Row,>({ isNumber, isWide, isText, isTitle }: Column<Row>) =>
  [isNumber && "number", isWide && "wide", isText && "text", isTitle && "title"].filter(Boolean).join(" ") || undefined;

/** A list as a table. Where there is no room for the columns, each row is a card, with the title of the column beside each value. */
export function Table<Row>({ caption, columns, rows, idOf, isSmall }: Props<Row>) {
  return (
    <div className={isSmall ? undefined : "list-frame"}>
      {/* biome-ignore lint/a11y/noRedundantRoles: a browser takes the roles of a table away when its parts are shown as blocks. */}
      <table role="table" className={isSmall ? "list small" : "list"}>
        <caption className="visually-hidden">{caption}</caption>
        {/* biome-ignore lint/a11y/noRedundantRoles: as above. */}
        <thead role="rowgroup">
          {/* biome-ignore lint/a11y/noRedundantRoles: as above. */}
          <tr role="row">
            {columns.map((column) => (
              // biome-ignore lint/a11y/noRedundantRoles: as above.
              <th key={column.title} scope="col" role="columnheader" className={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        {/* biome-ignore lint/a11y/noRedundantRoles: as above. */}
        <tbody role="rowgroup">
          {rows.map((row) => (
            // biome-ignore lint/a11y/noRedundantRoles: as above.
            <tr key={idOf(row)} role="row">
              {columns.map((column) => (
                // biome-ignore lint/a11y/noRedundantRoles: as above.
                <td key={column.title} role="cell" className={classOf(column)} data-title={column.title}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
