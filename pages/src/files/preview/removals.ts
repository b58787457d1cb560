import { html, nothing } from 'lit'
import { tick } from '../../elements/fields.ts'
import type { SchemaPlan } from '../../schemas/answers.ts'
import { ofFilesPreview as t } from '../../texts/rooms.ts'
import type { ImportPlan } from './outcome.ts'

/** A category that the import would remove, or that only items would have. */
export interface Removal {
  readonly path: string
  /** Categories, those below included; undefined for one that is only renamed. */
  readonly categories?: number
  /** Items that have it, or one below it; null if counting takes too long. */
  readonly items?: number | null | undefined
}

/** Categories that would be removed, with the items that lose one by it. */
export function listRemovals({ changes, impact }: ImportPlan): readonly Removal[] {
  const removed = changes.flatMap((change): Removal[] =>
    change.op === 'remove' ? [{ path: change.path, categories: change.categories, items: change.items }] : [],
  )
  const isRemoved = (path: string) => removed.some((one) => path === one.path || path.startsWith(`${one.path}/`))
  return [...removed, ...impact.byPath.filter(({ path }) => !isRemoved(path))]
}

/** Removals that are listed before the others are unfolded. */
const maxShown = 8

interface Removals {
  readonly removals: readonly Removal[]
  readonly vanishing: SchemaPlan['impact']['vanishing']
  readonly isSeen: boolean
  /** Whether the person wanted to publish without having ticked the box. */
  readonly isMissed: boolean
  readonly onSeen: (isSeen: boolean) => void
}

/** Renders the categories that an import would remove, with their items; a box says that they were seen. */
export function renderRemovals({ removals, vanishing, isSeen, isMissed, onSeen }: Removals) {
  const count = removals.reduce((sum, { categories = 0 }) => sum + categories, 0)
  const shown = removals.slice(0, maxShown)
  const others = removals.slice(maxShown)
  const list = (listed: readonly Removal[]) =>
    html`<ul>${listed.map(({ path, items }) => html`<li><bdi>${path}</bdi>${items ? html` · <strong>${t('items', { items })}</strong>` : nothing}</li>`)}</ul>`
  return html`<wa-callout class="removals" variant="danger"><wa-icon slot="icon" name="warning"></wa-icon>
    <div class="stack">
      ${count > 0 ? html`<strong>${t('removed', { count })}</strong>` : nothing}
      ${vanishing === 0 ? nothing : html`<p>${vanishing === null ? t('itemsUncounted') : t('vanishing', { items: vanishing })}</p>`}
      ${list(shown)}
      ${others.length > 0 ? html`<details><summary>${t('moreRemoved', { count: others.length })}</summary>${list(others)}</details>` : nothing}
      ${tick(t('seen'), isSeen, { name: 'seen', onChange: onSeen })}
      ${isMissed && !isSeen ? html`<p role="alert"><strong>${t('seenFirst')}</strong></p>` : nothing}
    </div>
  </wa-callout>`
}
