import { css, html, nothing, type PropertyValues } from 'lit'
import { property } from 'lit/decorators.js'
import { live } from 'lit/directives/live.js'
import { type Layout, levelOf, type plainRoles, type Role } from '../../../src/schema-files/csv/columns.ts'
import { field, radios, textOf, tick } from '../elements/fields.ts'
import { PageElement } from '../elements/page.ts'
import { groupSame, said } from '../sentences/said.ts'
import { ofTables as t } from '../texts/rooms.ts'
import {
  type ColumnRoles,
  chooseRole,
  columnsOf,
  listRoles,
  presentRoles,
  type ReadTable,
  type TableChoices,
} from './choose-roles.ts'
import { renderFailures } from './reading-choices.ts'
import { tableStyle } from './table-style.ts'

/** Failures that are shown before the others are unfolded. */
const maxShownFailures = 5

/** Roles of the columns of a category schema. */
const rolesOfSchema: ColumnRoles = {
  list: (present) => listRoles(present as readonly Role[]),
  nameOf: (role) => roleText(role as Role),
  choose: (present, at, role) => chooseRole(present as readonly Role[], at, role as Role),
}

/** Layouts of a table of one column. */
const listLayouts = ['indented', 'levels', 'path'] as const satisfies readonly Layout[]

/**
 * The first rows of a table, with a menu above each column for what it means; wrong rows and cells are marked. Emits `chosen`
 * with the choices of the person, of type TableChoices, which replace the former ones.
 */
class TableColumns extends PageElement {
  static override styles = [
    tableStyle,
    css`
    .heading {
      align-items: end;
    }
    .heading input[type='number'] {
      width: 6rem;
    }
  `,
  ]

  @property({ attribute: false }) table!: ReadTable
  /** Choices by which the table was read. */
  @property({ attribute: false }) choices: TableChoices = {}
  /** Roles that columns may have. */
  @property({ attribute: false }) roles: ColumnRoles = rolesOfSchema

  /** Brings the first wrong row into view, within the table. */
  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has('table')) return
    const rows = this.renderRoot.querySelector<HTMLElement>('.rows')
    const wrong = this.renderRoot.querySelector<HTMLElement>('.reason')?.previousElementSibling as HTMLElement | null
    if (rows && wrong) rows.scrollTop = Math.max(0, wrong.offsetTop - rows.clientHeight / 2)
  }

  override render() {
    const { table } = this
    return html`<div class="stack">
      ${table.columns.length === 1 && this.roles === rolesOfSchema ? this.#renderLayouts() : nothing}
      ${table.layout === 'indented' ? nothing : this.#renderHeadingChoice()}
      ${table.marks.length > 0 && this.roles === rolesOfSchema ? this.#renderMarks() : nothing}
      <div class="rows" tabindex="0" role="region" aria-label=${t('caption')}>
        <table>
          <caption class="visually-hidden">${t('caption')}</caption>
          ${this.#renderColumns()}
          <tbody>${table.rows.map((row) => this.#renderRow(row))}</tbody>
        </table>
      </div>
      ${this.#renderRest()}
    </div>`
  }

  #renderLayouts() {
    const chosen = listLayouts.find((layout) => layout === (this.choices.layout ?? this.table.layout))
    return html`<fieldset>
      <legend>${t('lines')}</legend>
      ${radios(
        'layout',
        listLayouts,
        (layout) => t(`lines_${layout}`),
        chosen,
        (layout) => this.#emit({ layout }),
      )}
    </fieldset>`
  }

  #renderHeadingChoice() {
    const { header, headerRow } = this.choices
    const { headingRow, rows } = this.table
    // A choice is seen before the table is read by it.
    const isHeading = header ?? headingRow !== undefined
    const shownRow = headerRow ?? headingRow
    return html`<div class="row heading">
      ${tick(t('hasHeading'), isHeading, { name: 'header', onChange: (header) => this.#emit({ ...this.#unlessList(), header }) })}
      ${
        !isHeading || shownRow === undefined
          ? nothing
          : field('headerRow', t('headingRow'), {
              type: 'number',
              min: 1,
              max: rows.at(-1)?.row ?? shownRow,
              value: String(shownRow),
              follows: true,
              onChange: (event) => this.#chooseHeaderRow(event),
            })
      }
    </div>`
  }

  #renderMarks() {
    const { marks } = this.table
    const failures = groupSame(marks)
    const shown = failures.slice(0, maxShownFailures)
    const others = failures.slice(maxShownFailures)
    return html`<wa-callout variant="danger"><wa-icon slot="icon" name="warning"></wa-icon>
      <div class="stack">
        <strong>${t('wrong', { count: marks.length })}</strong>
        ${renderFailures(shown)}
        ${others.length > 0 ? html`<details><summary>${t('moreWrong', { count: others.length })}</summary>${renderFailures(others)}</details>` : nothing}
      </div>
    </wa-callout>`
  }

  #renderColumns() {
    const { columns } = this.table
    const roles = presentRoles(this.table, this.choices.columns)
    const offered = this.roles.list(roles)
    return html`<thead><tr>
      <th scope="col" class="number">${t('row')}</th>
      ${columns.map(({ heading, role }, at) => {
        const name = heading.trim() === '' ? t('column', { column: at + 1 }) : heading
        return html`<th scope="col" class=${role === 'ignore' ? 'unused' : ''}>
          <span>${name}</span>
          ${
            columns.length === 1 && this.roles === rolesOfSchema
              ? nothing
              : html`<select
                  aria-label=${t('meaningOf', { column: name })} .value=${live(roles[at]!)}
                  @change=${(event: Event) => this.#chooseRole(at, event)}
                >
                  ${offered.map((one) => html`<option value=${one} ?selected=${one === roles[at]}>${this.roles.nameOf(one)}</option>`)}
                </select>`
          }
        </th>`
      })}
    </tr></thead>`
  }

  #renderRow({ row, cells }: ReadTable['rows'][number]) {
    const { columns, headingRow, marks } = this.table
    const wrong = marks.filter((mark) => mark.row === row)
    const isAbove = headingRow !== undefined && row < headingRow
    const isLeftOut = this.choices.ignoreRows?.includes(row) ?? false
    const kind = row === headingRow ? 'names' : isAbove || isLeftOut ? 'unused' : ''
    // Reasons without a column concern the whole row.
    const reason = (column: number | undefined) => wrong.some((mark) => mark.column === column)
    const reasonId = `reason-${row}`
    const describedBy = (isWrong: boolean) => (isWrong ? reasonId : nothing)
    const sign = (isWrong: boolean) =>
      isWrong ? html`<wa-icon name="warning" label=${t('isWrong')}></wa-icon> ` : nothing
    return html`<tr class=${kind}>
        <th scope="row" class="number ${reason(undefined) ? 'wrong' : ''}" aria-describedby=${describedBy(reason(undefined))}
          >${
            row === headingRow || isAbove
              ? nothing
              : html`<input
                  type="checkbox" aria-label=${t('useRow', { row })} .checked=${live(!isLeftOut)} @change=${() => this.#leaveOut(row)}
                > `
          }${sign(reason(undefined))}<span>${row}</span>${isAbove ? html`<span class="visually-hidden">${t('aboveHeading')}</span>` : nothing}</th>
        ${columns.map(({ role }, at) => {
          const isWrong = reason(at + 1)
          return html`<td
            class="${role === 'ignore' ? 'unused' : ''} ${isWrong ? 'wrong' : ''}" aria-describedby=${describedBy(isWrong)}
            >${sign(isWrong)}<bdi>${cells[at] ?? ''}</bdi></td>`
        })}
      </tr>
      ${
        wrong.length > 0
          ? html`<tr class="reason">
              <td class="number"></td>
              <td id=${reasonId} colspan=${columns.length}>${wrong.map(({ message, isOwn }) => html`<div>${isOwn ? html`<bdi>${message}</bdi>` : said(message)}</div>`)}</td>
            </tr>`
          : nothing
      }`
  }

  #renderRest() {
    const rest = this.table.total - this.table.rows.length
    return rest > 0 ? html`<p class="quiet">${t('moreRows', { count: rest })}</p>` : nothing
  }

  #chooseHeaderRow(event: Event): void {
    const headerRow = (event.target as HTMLInputElement).valueAsNumber
    if (Number.isInteger(headerRow) && headerRow > 0) this.#emit({ ...this.#unlessList(), header: true, headerRow })
  }

  #leaveOut(row: number): void {
    const { ignoreRows = [] } = this.choices
    const others = ignoreRows.filter((one) => one !== row)
    this.#emit({ ...this.choices, ignoreRows: others.length < ignoreRows.length ? others : [...others, row] })
  }

  /** Columns that were chosen, rows that are left out, and the layout of a list, stay. */
  #unlessList(): TableChoices {
    const { columns, layout, ignoreRows } = this.choices
    return { ...(columns && { columns }), ...(layout && { layout }), ...(ignoreRows && { ignoreRows }) }
  }

  /** All columns are sent by number, with the row of the heading, so that nothing else changes. */
  #chooseRole(at: number, event: Event): void {
    const role = textOf(event)
    const { headingRow } = this.table
    const columns = columnsOf(this.roles.choose(presentRoles(this.table, this.choices.columns), at, role))
    const isHeading = headingRow !== undefined
    const { ignoreRows } = this.choices
    this.#emit({
      ...(ignoreRows && { ignoreRows }),
      columns,
      header: isHeading,
      ...(isHeading && { headerRow: headingRow }),
    })
  }

  #emit(detail: TableChoices): void {
    this.dispatchEvent(new CustomEvent<TableChoices>('chosen', { detail }))
  }
}

function roleText(role: Role): string {
  const level = levelOf(role)
  return level === undefined ? t(`role_${role as (typeof plainRoles)[number]}`) : t('role_level', { level })
}

customElements.define('cartulary-table-columns', TableColumns)
