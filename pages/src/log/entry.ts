import { PageElement, Reading } from '../elements/page.ts'
import '../content/bulk/item-undo.ts'
import { css, html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import type { WireHistoryEntry } from '../../../src/http/shapes/audit/history-entry.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { actorOf, sayNews, targetOf } from '../news/say-news.ts'
import { type SchemaOwner, schemaPath, screenOf } from '../owners/owners.ts'
import type { SchemaChange, VersionDiff } from '../schemas/answers.ts'
import type { JobFailure } from '../session/job.ts'
import { call, post } from '../session/session.ts'
import { formatMoment, formatTrail, formatUtc, listInWords } from '../texts/formats.ts'
import { namesOf } from '../texts/names.ts'
import { ofSchemas, ofLog as t } from '../texts/rooms.ts'
import { hasText } from '../texts/texts.ts'
import { readEntryData } from './entry-data.ts'

/** Outcome for each item whose change was to be undone. */
interface ItemResults {
  readonly results: readonly { readonly itemId: string; readonly error?: Omit<JobFailure, 'itemId'> }[]
}

/** Fields of `data` with their own place in the entry; all others are listed. */
const named = new Set(['operation', 'outcome', 'error'])

function nameWithUsername(username: string, fullName: string | null) {
  const names = namesOf(username, fullName)
  return html`<bdi>${names.name}</bdi>${names.username === undefined ? nothing : html` <code>${names.username}</code>`}`
}

/** An entry of the log: a line that opens to all its details. Emits `toggle` of its details. */
class LogEntry extends PageElement {
  static override styles = css`
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
      min-width: 0;
      unicode-bidi: isolate;
    }
    @media (min-width: 48rem) {
      .cells {
        grid-template-columns: minmax(0, 4fr) minmax(0, 12fr) minmax(0, 2fr);
        align-items: center;
      }
    }
    /* The dot stays beside the operation, whatever the direction of the name. */
    .cells .target {
      unicode-bidi: isolate;
    }
    .target::before {
      content: '· ';
    }
    .undo {
      padding-block-end: 1rem;
      padding-inline-start: 2.25rem;
    }
    .facts {
      padding-block: 0.25rem 1rem;
      padding-inline: 2.25rem 0.25rem;
    }
  `

  @property({ attribute: false }) entry!: WireHistoryEntry
  @property({ type: Boolean, attribute: 'open' }) isOpen = false
  @property({ type: Boolean, attribute: 'utc' }) inUtc = false
  /** Address of the log with this entry opened. */
  @property() href!: string

  override render() {
    const { entry } = this
    const { created, actor, data } = entry
    const { username } = actor === null ? {} : namesOf(actor, entry.actorFullName)
    const news = { entry, count: data.targets?.length ?? 1 }
    const target = targetOf(news)
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
          <span><strong>${sayNews(news, actorOf(entry))}</strong> ${target === '' ? nothing : html`<span class="target"><bdi>${target}</bdi></span>`}${
            username === undefined ? nothing : html` <code>${username}</code>`
          }</span>
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
    const row = (name: unknown, value: unknown) => html`<dt>${name}</dt><dd>${value}</dd>`
    const person = (username: string, fullName: string | null) =>
      html`<a href=${hrefTo('person', { username })}>${nameWithUsername(username, fullName)}</a>`
    return html`<dl class="facts">
      ${row(t('time'), html`${formatMoment(entry.created)} · ${formatUtc(entry.created)}`)}
      ${entry.actor === null ? nothing : row(t('actors'), person(entry.actor, entry.actorFullName))}
      ${entry.idType === null ? nothing : row(t('target'), html`${t(`type_${entry.idType}`)} ${renderTarget(entry)}`)}
      ${entry.owner === null ? nothing : row(t('owners'), person(entry.owner, entry.ownerFullName))}
      ${Object.entries(data)
        .filter(([name]) => !named.has(name))
        .map(([name, value]) => row(html`<bdi>${nameOfData(name)}</bdi>`, renderDataOf(entry, name, value)))}
      ${row(t('address'), html`<code>${entry.ip}</code>`)}
      ${row(t('inApi'), html`<code>${data.operation}</code> <code>${entry.action}</code> <code>${entry.request}</code>`)}
      ${data.error === undefined ? nothing : row(t('errorCode'), html`<code>${data.error}</code>`)}
      ${row(t('requestId'), html`<code>${entry.reqId}</code>`)}
      ${row('', html`<a href=${this.href}>${t('linkToEntry')}</a>`)}
    </dl>
    ${entry.revertId === null ? nothing : this.#renderUndo(entry.revertId)}`
  }

  #renderUndo(revertId: string) {
    const path = `/portals/self/history/${revertId}/revert`
    const undo = async () => {
      const { results } = await post<ItemResults>(path)
      return {
        done: results.length,
        failures: results.flatMap(({ itemId, error }) => (error ? [{ itemId, ...error }] : [])),
      }
    }
    return html`<cartulary-item-undo class="undo" offered .plan=${() => post(path, { dryRun: true })} .undo=${undo}></cartulary-item-undo>`
  }

  #toggle(event: Event): void {
    const { open } = event.target as HTMLDetailsElement
    if (open === this.isOpen) return
    this.isOpen = open
    this.dispatchEvent(new Event('toggle'))
  }
}

/** Label of a field; common fields have one in words. */
function nameOfData(name: string): string {
  return hasText('log', `data_${name}`) ? t(`data_${name as 'version'}`) : name
}

/** Owner of the category schema that an entry is about, if it has made a version of one. */
function ownerOfSchema({ id, idType, data: { version } }: WireHistoryEntry): SchemaOwner | undefined {
  if (version === undefined) return undefined
  if (idType === 'a') return { kind: 'organization' }
  return idType === 'g' && id !== null ? { kind: 'group', id } : undefined
}

/** Field of an entry: versions are links, and sums of changes are followed by the names of the categories. */
function renderDataOf(entry: WireHistoryEntry, name: string, value: unknown) {
  if (name === 'publishAt' && typeof value === 'number') return formatMoment(value)
  const owner = ownerOfSchema(entry)
  const { version, from } = entry.data
  if (!owner || version === undefined) return renderData(name, value)
  if ((name === 'version' || name === 'from') && typeof value === 'number' && value > 0) {
    return html`<a href=${hrefTo(...screenOf(owner, 'Version', { version: String(value) }))}>${value}</a>`
  }
  if (name !== 'summary') return renderData(name, value)
  return html`<div>${renderData(name, value)}</div>
    <cartulary-log-schema-change .owner=${owner} .version=${version} .from=${from ?? version - 1}></cartulary-log-schema-change>`
}

function renderData(name: string, value: unknown) {
  const data = readEntryData(name, value)
  if (data.kind === 'text') return html`<bdi>${data.text}</bdi>`
  if (data.kind === 'names')
    return listInWords(data.names).map(({ isPart, text }) => (isPart ? html`<bdi>${text}</bdi>` : text))
  if (data.sums.length === 0) return ofSchemas('same')
  return listInWords(data.sums.map(({ name, count }) => ofSchemas(`${name}Count`, { count }))).map(({ text }) => text)
}

/** Target with its id, as a link to its screen if it has one. */
function renderTarget({ idType, itemTitle, id, owner, orgId, orgName }: WireHistoryEntry) {
  if (id === null) return nothing
  if (idType === 'a' && id === orgId) return html`<a href=${hrefTo('organizationSettings')}><bdi>${orgName}</bdi></a>`
  const hrefs = {
    u: () => hrefTo('person', { username: id }),
    g: () => hrefTo('group', { group: id }),
    i: () => hrefTo('item', { item: id }),
  }
  // A target with neither title nor owner is deleted, or never existed.
  const isThere = idType === 'u' || itemTitle !== null || owner !== null
  const href =
    isThere && idType !== null && Object.hasOwn(hrefs, idType) ? hrefs[idType as keyof typeof hrefs]() : undefined
  const name = html`<bdi>${itemTitle ?? id}</bdi>`
  return html`${href === undefined ? name : html`<a href=${href}>${name}</a>`}${itemTitle === null ? nothing : html` <code>${id}</code>`}`
}

customElements.define('cartulary-log-entry', LogEntry)

export type { LogEntry }

/** Maximum number of changes that are named; all of them are in the comparison. */
const maxNamed = 10

/** Categories that a version of a schema has changed, by their names. */
class LogSchemaChange extends PageElement {
  @property({ attribute: false }) owner!: SchemaOwner
  @property({ type: Number }) version!: number
  @property({ type: Number }) from!: number

  readonly #diff = new Reading(this, {
    args: () => [JSON.stringify(this.owner), this.version, this.from] as const,
    task: ([owner, version, from], { signal }) =>
      call<VersionDiff>(`${schemaPath(JSON.parse(owner))}/versions/${version}/diff`, { from }, { signal }),
  })

  override render() {
    return this.#diff.render({
      pending: () => html`<cartulary-loading></cartulary-loading>`,
      // A version that is not kept any more has only the sums of the entry.
      error: () => nothing,
      complete: ({ changes }) => this.#renderChanges(changes),
    })
  }

  #renderChanges(changes: readonly SchemaChange[]) {
    const named = changes.filter(({ op }) => op !== 'reorder')
    const comparison = hrefTo(...screenOf(this.owner, 'Comparison'), { from: this.from, to: this.version })
    return html`<ul>
        ${named.slice(0, maxNamed).map((change) => html`<li>${describeChange(change)}</li>`)}
        ${named.length > maxNamed ? html`<li>${t('moreChanges', { count: named.length - maxNamed })}</li>` : nothing}
      </ul>
      <p><a href=${comparison}>${t('compareVersions')}</a></p>`
  }
}

function describeChange(change: SchemaChange): string {
  const { op } = change
  if (op === 'reorder') return ''
  return t(`change_${op}`, {
    path: formatTrail(change.path),
    to: 'to' in change ? formatTrail(change.to) : '',
  })
}

customElements.define('cartulary-log-schema-change', LogSchemaChange)
