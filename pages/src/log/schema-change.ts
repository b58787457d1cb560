import { html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import { PageElement, Reading } from '../elements/page.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { type SchemaOwner, schemaPath, screenOf } from '../owners/owners.ts'
import type { SchemaChange, VersionDiff } from '../schemas/answers.ts'
import { call } from '../session/session.ts'
import { formatTrail } from '../texts/formats.ts'
import { ofLog as t } from '../texts/rooms.ts'

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
