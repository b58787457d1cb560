import { Action, announce, button, PageElement, Reading } from '../elements/page.ts'
import { said } from '../sentences/said.ts'
import './file-form.ts'
import './table-columns.ts'
import { css, html, nothing } from 'lit'
import { property, state } from 'lit/decorators.js'
import type { tableShape } from '../../../src/http/shapes/items/item-sheets.ts'
import type { ValueOf } from '../../../src/http/shapes/shape.ts'
import { maxSheetBytes } from '../../../src/item-sheets/read-sheet.ts'
import { ApiError } from '../api/call.ts'
import { post } from '../session/session.ts'
import { ofTables as t } from '../texts/rooms.ts'
import type { ColumnRoles, ReadTable, TableChoices } from './choose-roles.ts'
import type { ImportSource } from './import-source.ts'
import {
  type Failure,
  groupFailures,
  type Judged,
  keyOf,
  type ListColumns,
  type ListRow,
  type ReadList,
  type Replaced,
  readList,
  type Wrong,
} from './list.ts'
import { inWindows1252, isReadAsWindows1252, renderSheets, renderUnread } from './reading-choices.ts'

type Table = ValueOf<typeof tableShape>

/** A list that can come from a table: its columns, what is wrong with rows, and what is done with the others. */
export interface TableList<Ready = unknown> {
  readonly columns: ListColumns
  judge(rows: readonly ListRow[], signal: AbortSignal): Promise<Judged<Ready>>
  /** Words of the button; undefined where there is nothing to do. */
  actionOf(ready: Ready): string | undefined
  /** Renders more of what would be done. */
  render?(ready: Ready): unknown
  /** Does it, and answers what was refused then. `added` has what was added for a row: when it is done again, it is not added twice. */
  apply(ready: Ready, added: Added): Promise<readonly Wrong[]>
}

/** Names or ids of what was added, by the rows of the table. */
export type Added = Map<number, string>

/** Rows that are shown, and of those behind them as many that are wrong (chosen). */
const maxRows = 50
const maxFailures = 20

/** Takes a list from a file or a text: menus above its columns, rows that are left out, values that were meant otherwise. */
class ListImport extends PageElement {
  static override styles = css`
    cartulary-table-columns {
      --table-height: 20rem;
    }
  `

  @property({ attribute: false }) list!: TableList
  @state() source: ImportSource | undefined
  @state() form: { readonly sheet?: string; readonly encoding?: string } = {}
  @state() choices: TableChoices = {}
  @state() replaced: Replaced = new Map()
  /** Refusals of the last application. */
  @state() refused: readonly Wrong[] = []

  #added: Added = new Map()
  readonly #applying = new Action(this)
  readonly #table = new Reading(this, {
    args: () => [this.source, this.form] as const,
    task: async ([source, form], { signal }) => {
      if (!source) return undefined
      const read = (more = {}) => post<Table>('/content/readTable', { ...source.parameters, ...form, ...more }, signal)
      return read().catch((error: unknown) => {
        if (error instanceof ApiError && isReadAsWindows1252(error.sentences)) return read(inWindows1252)
        throw error
      })
    },
  })
  readonly #judged = new Reading(this, {
    args: () => [this.#table.value, this.choices, this.replaced, this.list] as const,
    task: async ([table, choices, replaced, list], { signal }) => {
      if (!table) return undefined
      const read = readList(table.rows, list.columns, choices, replaced)
      const judged = read.missing.length > 0 ? { ready: undefined, wrong: [] } : await list.judge(read.rows, signal)
      announce(t('judged', { count: judged.wrong.length }))
      return { table, read, ...judged }
    },
  })

  /** Roles by the columns of the list. */
  readonly #roles: ColumnRoles = {
    list: () => [...Object.keys(this.list.columns), 'ignore'],
    nameOf: (role) => this.list.columns[role]?.name ?? t('role_ignore'),
    choose: (present, at, role) =>
      present.map((one, position) =>
        position === at ? role : one === role && !this.list.columns[role]?.isMany ? 'ignore' : one,
      ),
  }

  /** Forgets the table. */
  clear(): void {
    this.source = undefined
    this.#begin()
  }

  override render() {
    return html`<div class="stack">
      <cartulary-import-file
        is-list ?hidden=${this.source !== undefined} accept=".xlsx,.xlsm,.csv,.tsv,.txt" max=${maxSheetBytes} @chosen=${({
          detail,
        }: CustomEvent<ImportSource>) => {
          this.source = detail
          this.#begin()
          this.dispatchEvent(new Event('chosen'))
        }}
      ></cartulary-import-file>
      ${
        this.source
          ? html`<div class="row"><strong><bdi>${this.source.name}</bdi></strong>
                ${button(t('another'), { class: 'end', size: 's', onClick: () => this.clear() })}</div>
              ${this.#table.render({
                pending: () => html`<cartulary-loading></cartulary-loading>`,
                error: (error) => this.#renderRefusal(error),
                complete: (table) => table && this.#renderTable(table),
              })}`
          : nothing
      }
    </div>`
  }

  #begin(): void {
    this.form = {}
    this.choices = {}
    this.replaced = new Map()
    this.refused = []
    this.#added = new Map()
    this.#applying.forget()
  }

  #renderRefusal(error: unknown) {
    if (!(error instanceof ApiError && error.code === 400)) {
      return html`<cartulary-problem .error=${error} can-retry @retry=${() => this.#table.run()}></cartulary-problem>`
    }
    const heading = html`<strong>${t('unreadable')}</strong>`
    return renderUnread(heading, error, () => this.#reform(inWindows1252))
  }

  #renderTable({ sheets, sheet, notes }: Table) {
    return html`${renderSheets(sheets, sheet ?? undefined, (sheet) => this.#reform({ sheet }))}
    ${notes.length > 0 ? html`<ul class="quiet">${notes.map((note) => html`<li>${said(note)}</li>`)}</ul>` : nothing}
    ${this.#judged.showLatest((judged) => judged && this.#renderJudged(judged))}
    <cartulary-problem .error=${this.#judged.value ? this.#judged.error : undefined}></cartulary-problem>`
  }

  #renderJudged({
    table,
    read,
    ready,
    wrong: found,
  }: Judged<unknown> & { readonly table: Table; readonly read: ReadList }) {
    const wrong = [...this.refused, ...found]
    const unused = read.columns.filter(({ heading, role }) => role === 'ignore' && heading.trim() !== '')
    const action = read.missing.length > 0 ? undefined : this.list.actionOf(ready)
    return html`<cartulary-table-columns
        .table=${shownTable(table, read, wrong)} .choices=${this.choices} .roles=${this.#roles}
        @chosen=${({ detail }: CustomEvent<TableChoices>) => (this.choices = detail)}
      ></cartulary-table-columns>
      ${unused.length > 0 ? html`<p class="quiet">${t('unused', { columns: unused.map(({ heading }) => heading).join(', ') })}</p>` : nothing}
      ${
        read.missing.length > 0
          ? html`<p role="alert"><strong>${t('missing', { columns: read.missing.map((role) => this.#roles.nameOf(role)).join(', ') })}</strong></p>`
          : nothing
      }
      ${wrong.length > 0 ? this.#renderFailures(groupFailures(wrong), wrong) : nothing}
      ${read.missing.length > 0 ? nothing : this.list.render?.(ready)}
      <cartulary-problem .error=${this.#applying.error}></cartulary-problem>
      <div class="row">
        ${button(action ?? t('nothingToDo'), { variant: 'brand', disabled: action === undefined, loading: this.#applying.isRunning, onClick: () => this.#apply(ready, read) })}
      </div>`
  }

  /** A line for each failure, with the value that was probably meant. */
  #renderFailures(failures: readonly Failure[], wrong: readonly Wrong[]) {
    const rows = new Set(wrong.map(({ row }) => row))
    return html`<section class="stack problems">
      <p class="row"><strong>${t('wrongRows', { count: rows.size })}</strong>
        ${failures.length > 1 ? this.#renderLeaveOut([...rows]) : nothing}</p>
      <ul class="entries">${failures.slice(0, maxFailures).map((failure) => this.#renderFailure(failure))}</ul>
      ${failures.length > maxFailures ? html`<p class="quiet">${t('moreWrong', { count: failures.length - maxFailures })}</p>` : nothing}
    </section>`
  }

  #renderFailure({ role, value, problem, meant, rows, isEnglish }: Failure) {
    const [first = 0] = rows
    const take = (row?: number) => {
      this.replaced = new Map([...this.replaced, [keyOf(role!, value!, row), meant!]])
      this.refused = []
    }
    return html`<li>
      <div>${isEnglish ? said(problem) : html`<bdi>${problem}</bdi>`}
        <span class="quiet">${t('inRows', { count: rows.length, row: first })}</span></div>
      ${
        meant === undefined || role === undefined || value === undefined
          ? nothing
          : html`${button(t('takeMeant', { meant, count: rows.length }), { size: 's', onClick: () => take() })}
              ${rows.length > 1 ? button(t('takeOnce', { row: first }), { appearance: 'plain', size: 's', onClick: () => take(first) }) : nothing}`
      }
      ${this.#renderLeaveOut(rows)}
    </li>`
  }

  #renderLeaveOut(rows: readonly number[]) {
    return html`<wa-button size="s" appearance="plain" @click=${() => {
      this.#leaveOut(rows)
      const left = new Set(rows)
      this.refused = this.refused.filter(({ row }) => !left.has(row))
    }}>${t('leaveOut', { count: rows.length })}</wa-button>`
  }

  #leaveOut(rows: readonly number[]): void {
    this.choices = { ...this.choices, ignoreRows: [...(this.choices.ignoreRows ?? []), ...rows] }
  }

  #reform(form: ListImport['form']): void {
    this.form = { ...this.form, ...form }
    this.choices = {}
    this.refused = []
    this.#added = new Map()
  }

  #apply(ready: unknown, read: ReadList): void {
    void this.#applying.run(async () => {
      const refused = await this.list.apply(ready, this.#added)
      const left = new Set(refused.map(({ row }) => row))
      const done = read.rows.map(({ row }) => row).filter((row) => !left.has(row))
      this.refused = refused
      if (refused.length === 0) this.source = undefined
      else this.#leaveOut(done)
    })
  }
}

function shownTable(table: Table, { columns, headingRow }: ReadList, wrong: readonly Wrong[]): ReadTable {
  const marks = wrong.map(({ row, role, problem, isEnglish = false }) => {
    const at = role === undefined ? -1 : columns.findIndex((column) => column.role === role)
    return { row, message: problem, isOwn: !isEnglish, ...(at >= 0 && { column: at + 1 }) }
  })
  const marked = new Set(marks.map(({ row }) => row))
  const behind = table.rows.slice(maxRows).filter(({ row }) => marked.has(row))
  const rows = [...table.rows.slice(0, maxRows), ...behind.slice(0, maxRows)]
  return {
    layout: 'levels',
    columns,
    rows,
    marks,
    total: table.rows.length,
    ...(headingRow !== undefined && { headingRow }),
  }
}

export type { ListImport }

customElements.define('cartulary-list-import', ListImport)
