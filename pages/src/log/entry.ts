import '@awesome.me/webawesome/dist/components/icon/icon.js'
import '@awesome.me/webawesome/dist/components/tag/tag.js'
import '../elements/moment.ts'
import { css, html, nothing } from 'lit'
import type { targetTypes } from '../../../src/audit/actions.ts'
import type { WireHistoryEntry } from '../../../src/http/shapes/audit/history-entry.ts'
import { PageElement } from '../elements/page-element.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { formatMoment, formatUtc } from '../texts/formats.ts'
import { t } from './texts.ts'

/** What is said of an entry by names of its own; the rest of `data` is shown as it is. */
const named = new Set(['operation', 'outcome', 'error'])

/** An entry of the log: a line that opens to everything that is known of it. Emits `toggle` of its details. */
class LogEntry extends PageElement {
  static override properties = {
    entry: { attribute: false },
    isOpen: { type: Boolean, attribute: 'open' },
    inUtc: { type: Boolean, attribute: 'utc' },
    href: {},
  }

  static override styles = [
    ...PageElement.styles,
    css`
      details {
        border-block-end: 1px solid var(--wa-color-surface-border);
      }
      summary {
        display: grid;
        grid-template-columns: 1.25rem minmax(0, 1fr);
        gap: 0.25rem 0.75rem;
        align-items: center;
        padding: 0.5rem 0.25rem;
        list-style: none;
        cursor: pointer;
      }
      summary::-webkit-details-marker {
        display: none;
      }
      summary:hover {
        background: var(--wa-color-neutral-fill-quiet);
      }
      summary > wa-icon {
        align-self: start;
        margin-block-start: 0.25rem;
      }
      summary > wa-icon:dir(rtl) {
        scale: -1 1;
      }
      details[open] summary > wa-icon {
        rotate: 90deg;
      }
      .cells {
        display: grid;
        gap: 0.125rem 0.75rem;
        min-width: 0;
      }
      .cells > span {
        overflow-wrap: anywhere;
        min-width: 0;
      }
      @media (min-width: 48rem) {
        .cells {
          grid-template-columns: 12rem 9rem minmax(0, 1fr) 6rem;
          align-items: center;
        }
      }
      .facts {
        padding-block: 0.25rem 1rem;
        padding-inline: 2.25rem 0.25rem;
      }
    `,
  ]

  declare entry: WireHistoryEntry
  declare isOpen: boolean
  declare inUtc: boolean
  /** The address of the log with this entry opened. */
  declare href: string

  override render() {
    const { entry } = this
    const { created, actor, data } = entry
    const isRefused = data.outcome === 'refused'
    return html`<details ?open=${this.isOpen} @toggle=${this.#toggle}>
      <summary>
        <wa-icon name="chevron-right"></wa-icon>
        <span class="cells">
          ${
            this.inUtc
              ? html`<span><time datetime=${new Date(created).toISOString()}>${formatUtc(created)}</time></span>`
              : html`<span><cartulary-moment value=${created}></cartulary-moment></span>`
          }
          <span>${actor ?? html`<i>${t('anonymous')}</i>`}</span>
          <span><strong>${entry.action}</strong> <span class="quiet">${describeTarget(entry)}</span></span>
          <span>
            <wa-tag size="s" variant=${isRefused ? 'warning' : 'success'}
              >${t(isRefused ? 'outcome_refused' : 'outcome_success')}</wa-tag
            >
          </span>
        </span>
      </summary>
      ${this.isOpen ? this.#renderDetails() : nothing}
    </details>`
  }

  #renderDetails() {
    const { entry } = this
    const { data } = entry
    const row = (name: string, value: unknown) => html`<dt>${name}</dt><dd>${value}</dd>`
    return html`<dl class="facts">
      ${row(t('time'), html`${formatMoment(entry.created)} · ${formatUtc(entry.created)}`)}
      ${
        entry.actor === null
          ? nothing
          : row(
              t('actors'),
              html`<a href=${hrefTo('person', { username: entry.actor })}>${entry.actor}</a>${entry.actorFullName ? ` · ${entry.actorFullName}` : ''}`,
            )
      }
      ${row(t('operation'), html`<code>${data.operation}</code>`)}
      ${entry.idType === null ? nothing : row(t('target'), t(`type_${entry.idType as keyof typeof targetTypes}`))}
      ${entry.itemTitle === null ? nothing : row('', entry.itemTitle)}
      ${entry.id === null ? nothing : row(t('id'), html`<code>${entry.id}</code>`)}
      ${entry.owner === null ? nothing : row(t('owners'), entry.owner)}
      ${row(t('request'), html`<code>${entry.request}</code>`)}
      ${row(t('address'), html`<code>${entry.ip}</code>`)}
      ${data.error === undefined ? nothing : row(t('errorCode'), html`<code>${data.error}</code>`)}
      ${Object.entries(data)
        .filter(([name]) => !named.has(name))
        .map(([name, value]) => row(name, typeof value === 'string' ? value : JSON.stringify(value)))}
      ${row(t('requestId'), html`<code>${entry.reqId}</code>`)}
      ${row('', html`<a href=${this.href}>${t('linkToEntry')}</a>`)}
    </dl>`
  }

  #toggle(event: Event): void {
    const { open } = event.target as HTMLDetailsElement
    if (open === this.isOpen) return
    this.isOpen = open
    this.dispatchEvent(new Event('toggle'))
  }
}

function describeTarget({ idType, itemTitle, id }: WireHistoryEntry): string {
  const type = idType === null ? '' : t(`type_${idType}`)
  return [type, itemTitle ?? id].filter(Boolean).join(' · ')
}

customElements.define('cartulary-log-entry', LogEntry)

export type { LogEntry }
