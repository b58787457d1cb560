import { html, nothing } from 'lit'
import { hrefTo, hrefWith } from '../../navigation/navigation.ts'
import { formatNumber } from '../../texts/formats.ts'
import { namesOf } from '../../texts/names.ts'
import { ofElements as t } from '../../texts/rooms.ts'
import { button } from '../page.ts'
import { partsOf, type ShownPage } from './page-parts.ts'

/** Column of a table: its name, the cell of a row, which may be `nothing`, and its class. */
type Column<Row> = readonly [name: string, cell: (row: Row) => unknown, kind?: string]

/** Renders a table whose first column identifies a row; in the style `stackedTable`, the others have their names beside them. */
export function renderTable<Row>(rows: readonly Row[], columns: readonly [Column<Row>, ...Column<Row>[]]) {
  const [[, renderHead], ...others] = columns
  return html`<table>
    <thead><tr>${columns.map(([name, , kind]) => html`<th scope="col" class=${kind ?? nothing}>${name}</th>`)}</tr></thead>
    <tbody>${rows.map(
      (row) => html`<tr>
        <th scope="row">${renderHead(row)}</th>
        ${others.map(([name, renderCell, kind]) => {
          const cell = renderCell(row)
          return html`<td class=${kind ?? nothing} data-label=${cell === nothing ? nothing : name}>${cell}</td>`
        })}
      </tr>`,
    )}</tbody>
  </table>`
}

interface PagerOptions {
  /** Entries of a full page, if not the default. */
  readonly num?: number
  /** Labels for the pages before and after, if not the default ones. */
  readonly previous?: string
  readonly next?: string
  /** Whether the shown range is left out, as the list shows it elsewhere. */
  readonly withoutRange?: boolean
}

/** Range of a page in its list, and links to the pages before and after it; nothing where one page shows all. */
export function renderPager(page: ShownPage, options: PagerOptions = {}) {
  const { end, before, after } = partsOf(page, options.num)
  if (before === undefined && after === undefined) return nothing
  const words = { from: formatNumber(page.start), to: formatNumber(end), total: formatNumber(page.total) }
  return html`<nav class="row pager" aria-label=${t('pages')}>
    ${options.withoutRange ? nothing : html`<span>${t('range', words)}</span>`}
    ${before === undefined ? nothing : button(options.previous ?? t('previous'), { icon: 'chevron-left', size: 's', href: hrefOf(before) })}
    ${after === undefined ? nothing : button(html`<wa-icon slot="end" name="chevron-right"></wa-icon>${options.next ?? t('next')}`, { size: 's', href: hrefOf(after) })}
  </nav>`
}

/** Address of a page; that of the first one has no position. */
function hrefOf(start: number): string {
  return hrefWith({ start: start === 1 ? undefined : start })
}

/** Link to a person in a list; beside it the username, if the name differs. */
export function renderPersonLink(person: { readonly username: string; readonly fullName: string }) {
  const { name, username } = namesOf(person.username, person.fullName)
  return html`<a href=${hrefTo('person', { username: person.username })}><bdi>${name}</bdi></a>${
    username === undefined ? nothing : html` <span class="quiet"><bdi>${username}</bdi></span>`
  }`
}
