import { Action, announce, button, Reading, Screen } from '../elements/page.ts'
import './entry.ts'
import './filter-form.ts'
import { css, html, nothing } from 'lit'
import { state } from 'lit/decorators.js'
import type { WireHistoryEntry } from '../../../src/http/shapes/audit/history-entry.ts'
import { pageSize } from '../elements/lists/page-parts.ts'
import { saveFile } from '../elements/save-file.ts'
import { goTo, hrefTo, hrefWith, replaceQuery } from '../navigation/navigation.ts'
import { auditedOperationIds } from '../operations/audited-operations.ts'
import { nameOfOperation } from '../operations/operation-names.ts'
import { mayOpen } from '../session/may-open.ts'
import { call, callForPart } from '../session/session.ts'
import { ofLog as t } from '../texts/rooms.ts'
import type { LogEntry } from './entry.ts'
import { countCsvRows, formatFilter, joinCsv, type LogFilter, parametersOf, readFilter } from './filter.ts'
import { meaningsOf } from './meanings.ts'

interface HistoryAnswer {
  readonly items: readonly WireHistoryEntry[]
  readonly nextKey: string | null
}

/** Maximum number of entries per request of an export, as in the API. */
const exportNum = 10_000

/** History of the organization; its filters, its order and the opened entry are in the address. */
class Log extends Screen {
  static override styles = css`
    .entries {
      border-block-start: 1px solid var(--wa-color-surface-border);
    }
  `

  /** Number of entries exported so far. */
  @state() exported = 0

  readonly #export = new Action(this)

  readonly #page = new Reading(this, {
    args: () => [JSON.stringify(this.#parametersOf(readFilter(this.query))), this.query.get('after') ?? ''],
    task: ([parameters, start], { signal }) =>
      call<HistoryAnswer>(
        '/portals/self/history',
        { ...JSON.parse(parameters), num: pageSize, start: start || undefined },
        // Words may mean many operations.
        { signal, method: 'POST' },
      ),
    onComplete: ({ items }) => announce(t('shown', { count: items.length })),
  })

  override render() {
    const filter = readFilter(this.query)
    // The refusal of the server says who may read it.
    if (!mayOpen('log')) {
      return html`<cartulary-heading text=${t('log')} note=${t('note')}></cartulary-heading>
        ${this.#page.show(() => nothing)}`
    }
    return html`<cartulary-heading text=${t('log')} note=${t('note')}>
        <div class="row no-print">
          ${
            this.#export.isRunning
              ? html`<span>${t('exporting', { count: this.exported })}</span>
                  ${button(t('cancel'), { onClick: () => this.#export.cancel() })}`
              : button(t('export'), { icon: 'download', onClick: () => this.#exportAll(filter) })
          }
        </div>
      </cartulary-heading>
      <div class="stack">
        <cartulary-log-filter class="no-print" .filter=${filter} .inUtc=${this.#inUtc}
          @choose=${this.#choose} @words=${this.#search}></cartulary-log-filter>
        <cartulary-problem .error=${this.#export.error}></cartulary-problem>
        ${this.#page.showLatest((page) => this.#renderPage(page))}
      </div>`
  }

  /** Parameters of the filter, whose words mean what the page calls so. */
  #parametersOf(filter: LogFilter) {
    const named = [
      ...auditedOperationIds.map((id) => [id, nameOfOperation(id)] as const),
      ...(['success', 'refused'] as const).map((id) => [id, t(`outcome_${id}`)] as const),
    ]
    return parametersOf(filter, meaningsOf(filter.q, named))
  }

  get #inUtc(): boolean {
    return this.query.get('zone') === 'utc'
  }

  #renderPage({ items, nextKey }: HistoryAnswer) {
    if (items.length === 0) {
      return html`<cartulary-empty icon="list" heading=${t('empty')} text=${t('emptyText')}>
        ${button(t('reset'), { href: hrefTo('log') })}
      </cartulary-empty>`
    }
    const opened = this.query.get('entry')
    return html`<div class="entries">
        ${items.map(
          (entry) => html`<cartulary-log-entry
            .entry=${entry} ?open=${entry.reqId === opened} ?utc=${this.#inUtc} href=${hrefWith({ entry: entry.reqId })}
            @toggle=${this.#toggled}
          ></cartulary-log-entry>`,
        )}
      </div>
      <nav class="row no-print" aria-label=${t('pages')}>
        ${this.query.get('after') ? button(t('newest'), { size: 's', href: hrefWith({ after: undefined, entry: undefined }) }) : nothing}
        ${nextKey === null ? nothing : button(t('next'), { size: 's', href: hrefWith({ after: nextKey, entry: undefined }) })}
      </nav>`
  }

  #search({ detail }: CustomEvent<string>): void {
    const { after: _, entry: __, ...query } = Object.fromEntries(this.query)
    replaceQuery({ ...query, q: detail })
  }

  #choose(event: CustomEvent<{ readonly filter: LogFilter; readonly inUtc: boolean }>): void {
    const { filter, inUtc } = event.detail
    goTo(hrefTo('log', {}, { ...formatFilter(filter), zone: inUtc ? 'utc' : undefined }))
  }

  #toggled(event: Event): void {
    const { entry, isOpen } = event.target as LogEntry
    if (isOpen) replaceQuery({ ...Object.fromEntries(this.query), entry: entry.reqId })
  }

  async #exportAll(filter: LogFilter): Promise<void> {
    this.exported = 0
    const isDone = await this.#export.run(async (signal) => {
      const parts: string[] = []
      let start: string | undefined
      do {
        const parameters = { ...this.#parametersOf(filter), f: 'csv', num: exportNum, start }
        const { blob, nextKey } = await callForPart('/portals/self/history', parameters, { signal, method: 'POST' })
        const part = await blob.text()
        parts.push(part)
        this.exported += countCsvRows(part)
        start = nextKey
      } while (start !== undefined)
      saveFile(new Blob([joinCsv(parts)], { type: 'text/csv' }), 'log.csv')
    })
    if (isDone) announce(t('exported', { count: this.exported }))
  }
}

customElements.define('cartulary-log', Log)
