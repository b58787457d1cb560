import { Action, announce, button, PageElement } from '../elements/page.ts'
import { formatNumber, formatTrail } from '../texts/formats.ts'
import '../content/bulk/failures.ts'
import '../tables/list-import.ts'
import { css, html, nothing } from 'lit'
import { property, query, state } from 'lit/decorators.js'
import { sheetColumns } from '../../../src/item-sheets/read-sheet.ts'

import { changedItems, undoRun } from '../content/changed-items.ts'

import { radios, tick } from '../elements/fields.ts'
import { renderTable } from '../elements/lists/table.ts'
import { offerUndo } from '../elements/undo-message.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { cancelJob, followJob, isUnended, type Job } from '../session/job.ts'
import { post } from '../session/session.ts'
import { firstOf, type ListRow, type Wrong, writeRows } from '../tables/list.ts'
import type { ListImport, TableList } from '../tables/list-import.ts'
import { ofSheets as t } from '../texts/rooms.ts'
import { type BegunImport, comparePaths, defaultOptions, type SheetOptions, type SheetPlan } from './sheet-plan.ts'

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
      ${radios(
        'mode',
        modes,
        (each) => t(`mode_${each}`),
        mode,
        (each) => this.#change({ mode: each }),
      )}
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
    offerUndo(t('applied'), () =>
      undoRun(id, () => {
        if (this.job?.id === id) this.job = undefined
      }),
    )
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

/** Rows of a list that are shown before the person asks for more (chosen). */
const maxShown = 50

/** Effects of an edited table: sums, and each change. */
class SheetPlanView extends PageElement {
  static override styles = css`
    :host {
      display: grid;
      gap: 1rem;
    }
    del {
      color: var(--wa-color-danger-on-quiet);
    }
    ins {
      color: var(--wa-color-success-on-quiet);
      text-decoration: none;
      font-weight: 600;
    }
  `

  @property({ attribute: false }) plan!: SheetPlan
  @state() isUnfolded = false

  override render() {
    const { summary, changes } = this.plan
    const isFolded = changes.length > maxShown && !this.isUnfolded
    const shown = isFolded ? changes.slice(0, maxShown) : changes
    const sums = ['rows', 'changed', 'unchanged'] as const
    return html`<dl class="facts">${sums.map((name) => html`<dt>${t(`sum_${name}`)}</dt><dd>${formatNumber(summary[name])}</dd>`)}</dl>
      ${
        summary.changed === 0
          ? nothing
          : html`<section class="stack">
              <h3>${t('head_changes', { count: summary.changed })}</h3>
              ${renderTable(shown, [
                [t('item'), ({ itemId, title }) => html`<a href=${hrefTo('item', { item: itemId })}>${title}</a>`],
                [t('before'), ({ from, to }) => renderPaths(from, comparePaths(from, to).removed, 'del')],
                [t('after'), ({ from, to }) => renderPaths(to, comparePaths(from, to).added, 'ins')],
              ])}
              ${
                isFolded
                  ? html`<div>${button(t('showMore', { count: changes.length - maxShown }), { appearance: 'plain', size: 's', onClick: () => (this.isUnfolded = true) })}</div>`
                  : changes.length < summary.changed
                    ? html`<p class="quiet">${t('onlyFirst', { count: changes.length })}</p>`
                    : nothing
              }
            </section>`
      }`
  }
}

function renderPaths(paths: readonly string[], marked: readonly string[], mark: 'ins' | 'del') {
  if (paths.length === 0) return html`<span class="quiet">${t('none')}</span>`
  return html`<div class="paths">${paths.map((path) => {
    const words = formatTrail(path)
    if (!marked.includes(path)) return html`<div><bdi>${words}</bdi></div>`
    return html`<div>${mark === 'ins' ? html`<ins>${words}</ins>` : html`<del>${words}</del>`}</div>`
  })}</div>`
}

customElements.define('cartulary-sheet-plan', SheetPlanView)
