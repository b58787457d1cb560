import { html, nothing } from 'lit'

/** Column of a table: its name, and the cell of a row, which may be `nothing`. */
type Column<Row> = readonly [name: string, cell: (row: Row) => unknown]

/** Renders a table whose first column identifies a row; in the style `stackedTable`, the others have their names beside them. */
export function renderTable<Row>(rows: readonly Row[], columns: readonly [Column<Row>, ...Column<Row>[]]) {
  const [[, renderHead], ...others] = columns
  return html`<table>
    <thead><tr>${columns.map(([name]) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${rows.map(
      (row) => html`<tr>
        <th scope="row">${renderHead(row)}</th>
        ${others.map(([name, renderCell]) => {
          const cell = renderCell(row)
          return html`<td data-label=${cell === nothing ? nothing : name}>${cell}</td>`
        })}
      </tr>`,
    )}</tbody>
  </table>`
}
