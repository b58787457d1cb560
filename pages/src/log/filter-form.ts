import { choice, enterSubmits, field, readFields, tick } from '../elements/fields.ts'
import { button, PageElement } from '../elements/page.ts'
import '../forms/filter-bar.ts'
import { css, html, nothing, type PropertyValues } from 'lit'
import { property } from 'lit/decorators.js'
import { targetTypes } from '../../../src/audit/actions.ts'
import type { ActiveFilter } from '../forms/filter-bar.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { auditedOperationIds, isAuditedOperation, targetOf } from '../operations/audited-operations.ts'
import { nameOfOperation } from '../operations/operation-names.ts'
import { compareTexts, formatMoment } from '../texts/formats.ts'
import { ofLog as t } from '../texts/rooms.ts'
import { formatFilter, hasMoreThanTheFirst, type LogFilter, toLocal, toUtc } from './filter.ts'

const outcomes = ['', 'success', 'refused'] as const

const types = Object.keys(targetTypes) as (keyof typeof targetTypes)[]

/** Filters of the log. Emits `choose` with `{ filter, inUtc }` when they are applied, and `words` when words are searched for. */
class LogFilterForm extends PageElement {
  static override styles = css`
    details > div {
      padding-block-start: 0.75rem;
    }
  `

  @property({ attribute: false }) filter!: LogFilter
  @property({ attribute: false }) inUtc = false

  /** Resets unapplied input when another filter is applied. */
  override updated(changed: PropertyValues<LogFilterForm>): void {
    const before = changed.get('filter')
    if (changed.has('inUtc') || (before && JSON.stringify(before) !== JSON.stringify(this.filter))) this.#resetForm()
  }

  readonly #resetForm = (): void => this.renderRoot.querySelector('form')?.reset()

  override render() {
    const { filter } = this
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    return html`<cartulary-filter-bar
      label=${t('q')} hint=${t('qHint')} .value=${filter.q} .active=${this.#listActive()} reset=${hrefTo('log')} @words=${({ detail }: CustomEvent<string>) => this.dispatchEvent(new CustomEvent('words', { detail }))}
    >
      <form class="panel" @submit=${this.#submit}>
        ${enterSubmits}
        <div class="fields">
          ${this.#text('actors', t('actors'), t('actorsHint'))}
          ${this.#renderOperations()}
          ${choice('outcome', t('outcome'), outcomes, (each) => t(`outcome_${each || 'any'}`), filter.outcome)}
          ${this.#time('from', t('from'), zone)} ${this.#time('to', t('to'), zone)}
        </div>
      ${tick(html`${t('tokens')}<br /><small>${t('tokensHint')}</small>`, filter.tokens, { name: 'tokens', value: 'true' })}
      <details ?open=${hasMoreThanTheFirst(filter) || this.inUtc}>
        <summary>${t('moreFilters')}</summary>
        <div class="stack">
          <div class="fields">
            ${this.#text('id', t('id'))} ${this.#text('owners', t('owners'), t('actorsHint'))} ${this.#text('ips', t('ips'))}
            ${this.#text('actions', t('actions'), t('actionsHint'))}
            ${choice('order', t('order'), ['desc', 'asc'], (each) => t(`order_${each}`), filter.order)}
            ${choice('zone', t('zone'), ['local', 'utc'], (each) => t(`zone_${each}`), this.inUtc ? 'utc' : 'local')}
            ${choice('scope', t('scope'), ['all', 'own'], (each) => t(`scope_${each}`), filter.scope)}
          </div>
          <fieldset>
            <legend>${t('types')}</legend>
            <div class="row">
              ${types.map((type) => tick(t(`type_${type}`), filter.types.includes(type), { name: 'types', value: type }))}
            </div>
          </fieldset>
        </div>
      </details>
      <div class="row">
        ${button(t('show'), { type: 'submit', variant: 'brand' })}
        ${button(t('reset'), { appearance: 'plain', href: hrefTo('log'), onClick: this.#resetForm })}
      </div>
      </form>
    </cartulary-filter-bar>`
  }

  /** Filters that are active, in words; the order and the zone of times are none. */
  #listActive(): readonly ActiveFilter[] {
    const { filter, inUtc } = this
    const active = (value: string, change: Partial<LogFilter>, name?: string): ActiveFilter => ({
      value,
      ...(name !== undefined && { name }),
      href: hrefTo('log', {}, { ...formatFilter({ ...filter, ...change }), zone: inUtc ? 'utc' : undefined }),
    })
    const named = (['actors', 'owners', 'id', 'ips'] as const).filter((name) => filter[name] !== '')
    const moment = (utc: string) => (Number.isNaN(Date.parse(utc)) ? utc : formatMoment(Date.parse(utc)))
    const times = (['from', 'to'] as const).filter((name) => filter[name] !== '')
    const actions = filter.actions.split(',').filter((name) => name !== '')
    return [
      ...named.map((name) => active(filter[name], { [name]: '' }, t(name))),
      ...actions.map((name) =>
        active(isAuditedOperation(name) ? nameOfOperation(name) : name, {
          actions: actions.filter((other) => other !== name).join(','),
        }),
      ),
      ...(filter.outcome === '' ? [] : [active(t(`outcome_${filter.outcome}`), { outcome: '' })]),
      ...times.map((name) => active(moment(filter[name]), { [name]: '' }, t(name))),
      ...filter.types.map((type) =>
        active(t(`type_${type as keyof typeof targetTypes}`), {
          types: filter.types.filter((other) => other !== type),
        }),
      ),
      ...(filter.scope === 'own' ? [active(t('scope_own'), { scope: 'all' })] : []),
      ...(filter.tokens ? [active(t('tokens'), { tokens: false })] : []),
    ]
  }

  /** Options for all operations in words, grouped by type of target. */
  #renderOperations() {
    const { actions } = this.filter
    return html`<label class="field wide">
      <span>${t('what')}</span>
      <select name="operation">
        <option value="">${t('what_any')}</option>
        ${types.map((type) => {
          const operations = auditedOperationIds
            .filter((id) => targetOf(id) === type)
            .map((id) => [id, nameOfOperation(id)] as const)
            .sort(([, one], [, other]) => compareTexts(one, other))
          if (operations.length === 0) return nothing
          return html`<optgroup label=${t(`type_${type}`)}>
            ${operations.map(([id, name]) => html`<option value=${id} ?selected=${id === actions}>${name}</option>`)}
          </optgroup>`
        })}
      </select>
    </label>`
  }

  #text(name: 'actors' | 'owners' | 'actions' | 'id' | 'ips', label: string, hint?: string) {
    const value = this.filter[name]
    // A known operation is chosen from the list by its name.
    const isChosen = name === 'actions' && isAuditedOperation(value)
    return field(name, label, { value: isChosen ? '' : value, isCode: true, hint: hint || undefined })
  }

  #time(name: 'from' | 'to', label: string, zone: string) {
    return field(name, label, {
      type: 'datetime-local',
      value: toLocal(this.filter[name]),
      hint: t('localTime', { zone }),
    })
  }

  #submit(event: SubmitEvent): void {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const { operation, ...given } = readFields(form)
    const filter = {
      ...given,
      q: this.filter.q,
      actions: [operation, given['actions']].filter(Boolean).join(','),
      tokens: given['tokens'] === 'true',
      from: toUtc(given['from'] ?? ''),
      to: toUtc(given['to'] ?? ''),
      types: new FormData(form).getAll('types').map(String),
    } as unknown as LogFilter
    this.dispatchEvent(new CustomEvent('choose', { detail: { filter, inUtc: given['zone'] === 'utc' } }))
  }
}

customElements.define('cartulary-log-filter', LogFilterForm)
