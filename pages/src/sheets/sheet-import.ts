import { button } from '../elements/page.ts'
import '../content/bulk/failures.ts'
import '../tables/list-import.ts'
import './plan-view.ts'
import { html, nothing } from 'lit'
import { property, query, state } from 'lit/decorators.js'
import { sheetColumns } from '../../../src/item-sheets/read-sheet.ts'
import { cancelJob, followJob, isUnended, type Job, undoRun } from '../content/bulk/follow-job.ts'
import { changedItems } from '../content/changed-items.ts'
import { tick } from '../elements/fields.ts'
import { Action, announce, PageElement } from '../elements/page.ts'
import { offerUndo } from '../elements/undo-message.ts'
import { post } from '../session/session.ts'
import { firstOf, type ListRow, type Wrong, writeRows } from '../tables/list.ts'
import type { ListImport, TableList } from '../tables/list-import.ts'
import { ofSheets as t } from '../texts/rooms.ts'
import { type BegunImport, defaultOptions, type SheetOptions, type SheetPlan } from './sheet-plan.ts'

const importPath = '/content/categories/import'
const modes = ['set', 'add', 'remove'] as const
const roles = ['id', 'modified', 'categories'] as const

/** A plan with what has to be sent again to apply it. */
interface Ready {
  readonly plan: SheetPlan
  readonly parameters: Readonly<Record<string, unknown>>
}

/** Categories of items from an edited table: what it would do, its application, and the outcome. */
class SheetImport extends PageElement {
  /** Group whose categories the table has; undefined for the organization. */
  @property() group: string | undefined
  @state() options: SheetOptions = defaultOptions
  /** The job, while it runs and afterwards. */
  @state() job: Job | undefined
  @query('cartulary-list-import') table!: ListImport

  /** Titles of the items that were changed. */
  #titles: ReadonlyMap<string, string> = new Map()
  #list: TableList<Ready> = this.#listWith(defaultOptions)
  readonly #following = new Action(this)

  override render() {
    return html`<section class="panel stack" aria-labelledby="upload">
      <h2 id="upload">${t('upload')}</h2>
      <p>${t('uploadText')}</p>
      ${this.#renderOptions()}
      <cartulary-list-import .list=${this.#list} @chosen=${() => (this.job = undefined)}></cartulary-list-import>
      ${this.job ? this.#renderJob(this.job) : nothing}
    </section>`
  }

  #change(change: Partial<SheetOptions>): void {
    this.options = { ...this.options, ...change }
    this.#list = this.#listWith(this.options)
  }

  #listWith(options: SheetOptions): TableList<Ready> {
    return {
      get columns() {
        return {
          id: { ...sheetColumns.id, name: t('column_id'), isRequired: true },
          categories: {
            ...sheetColumns.categories,
            name: t('column_categories'),
            isRequired: true,
            separator: /[|;,](?=\s*\/)|[\r\n]+/,
          },
          modified: { ...sheetColumns.modified, name: t('column_modified') },
        }
      },
      judge: async (rows, signal) => {
        const parameters = {
          file: new File([writeRows(rows, roles)], 'table.csv'),
          header: false,
          delimiter: 'comma',
          columns: JSON.stringify({ id: 1, modified: 2, categories: 3 }),
          ...options,
          group: this.group,
        }
        const plan = await post<SheetPlan>(importPath, { ...parameters, dryRun: true }, signal)
        return { ready: { plan, parameters }, wrong: wrongOf(plan, rows) }
      },
      actionOf: ({ plan }) => (plan.summary.changed > 0 ? t('apply', { count: plan.summary.changed }) : undefined),
      render: ({ plan }) => html`<cartulary-sheet-plan .plan=${plan}></cartulary-sheet-plan>`,
      apply: async ({ plan, parameters }) => {
        this.#titles = new Map(plan.changes.map(({ itemId, title }) => [itemId, title]))
        const { id, total } = await post<BegunImport>(importPath, { ...parameters, dryRun: false, plan: plan.id })
        this.job = { id, state: 'running', done: 0, total, failures: [] }
        void this.#following.run((signal) => this.#follow(id, signal))
        return []
      },
    }
  }

  #renderOptions() {
    const { mode, onUnknown, ifUnchanged } = this.options
    return html`<fieldset>
      <legend>${t('mode')}</legend>
      ${modes.map((each) => tick(t(`mode_${each}`), each === mode, { type: 'radio', name: 'mode', onChange: () => this.#change({ mode: each }) }))}
      </fieldset>
      ${tick(t('skipUnknown'), onUnknown === 'skip', { onChange: (isOn) => this.#change({ onUnknown: isOn ? 'skip' : 'refuse' }) })}
      ${tick(t('overwrite'), !ifUnchanged, { onChange: (isOn) => this.#change({ ifUnchanged: !isOn }) })}`
  }

  #renderJob({ id, done, total, state, failures }: Job) {
    if (isUnended({ state })) {
      return html`<div><progress aria-label=${t('progress')} max=${total} .value=${done}></progress>
        <p>${t('progressOf', { done, total })}</p></div>
        <div>${button(t('cancel'), { appearance: 'plain', onClick: () => this.#following.run(() => cancelJob(id)) })}</div>
        <cartulary-problem .error=${this.#following.error}></cartulary-problem>`
    }
    return html`<div role="status" class="stack">
      <p><strong>${t(state === 'failed' || state === 'cancelled' ? 'notCompleted' : 'applied')}</strong></p>
      <cartulary-failures .failures=${failures} .titles=${this.#titles}></cartulary-failures>
    </div>`
  }

  async #follow(id: string, signal: AbortSignal): Promise<void> {
    const { done, failures } = await followJob(id, (job) => (this.job = job), signal)
    announce(t('applied'))
    changedItems.emit()
    if (done <= failures.length) return
    offerUndo(t('applied'), async () => {
      await undoRun(id)
      if (this.job?.id === id) this.job = undefined
    })
  }
}

/** Rows that are not applied, and values that are no category. */
function wrongOf({ refused, unknownPaths }: SheetPlan, rows: readonly ListRow[]): readonly Wrong[] {
  const unknown = new Map(unknownPaths.map(({ path, meant }) => [path, meant]))
  const byRow = new Map(rows.map((row) => [row.row, row]))
  return refused.map(({ row, problem }) => {
    const value = byRow.get(row)?.values['categories']?.find((path) => unknown.has(path))
    const isTime = problem.startsWith('modified ')
    return {
      row,
      problem,
      isEnglish: true,
      ...(isTime && { role: 'modified', value: firstOf(byRow.get(row)!, 'modified') }),
      ...(value !== undefined && { role: 'categories', value, meant: unknown.get(value) ?? undefined }),
    }
  })
}

customElements.define('cartulary-sheet-import', SheetImport)
