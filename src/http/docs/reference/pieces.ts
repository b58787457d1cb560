import { type Content, type Html, html } from '../../pages/html.ts'

/** Pieces of the reference. */

export function formatTable(head: readonly string[], rows: readonly (readonly Content[])[]): Html {
  return html`<div class="wide"><table><thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody></table></div>`
}

/** An operation, as far as a link needs it. */
export type Named = { readonly id: string; readonly title: string }

/** Place of an operation, in docs/api.md too. */
export function anchorOf({ id }: Pick<Named, 'id'>): string {
  return id.toLowerCase()
}

function linkTo(row: Named): Html {
  return html`<a href="#${anchorOf(row)}">${row.title}</a>`
}

export function linkToAll(rows: readonly Named[]): Html {
  return html`${rows.map((row, at) => html`${at > 0 && ', '}${linkTo(row)}`)}`
}
