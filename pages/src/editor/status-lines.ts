import { html, nothing } from 'lit'
import type { SchemaLimits } from '../../../src/categories/limits.ts'
import type { Draft } from '../drafts/draft-store.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { type SchemaOwner, screenOf } from '../owners/owners.ts'
import { formatNumber } from '../texts/formats.ts'
import { ofEditor as t } from '../texts/rooms.ts'
import { countTrees, fullnessOf, type Limit, limitNames } from './model/counts.ts'
import type { Finding } from './model/judgement.ts'
import type { Trees } from './model/node.ts'
import type { LoadedSchema } from './model/open-draft.ts'

/** Renders a line about the draft, and what can be done with it; one in both cases, so that the first edit moves nothing on the screen. */
export function renderDraftLine(draft: Draft | undefined, version: number, action: unknown) {
  if (!draft) {
    return html`<div class="row draft quiet">
      <wa-icon name="check"></wa-icon>
      <span>${version === 0 ? t('nothingPublished') : t('asPublished', { version })}</span>
      ${action}
    </div>`
  }
  return html`<div class="row draft">
    <wa-icon name="pencil"></wa-icon>
    <span>${t('draftSince')} <cartulary-moment .value=${draft.began}></cartulary-moment> · ${
      draft.baseVersion === 0 ? t('draftOfNothing') : t('draftOfVersion', { version: draft.baseVersion })
    }</span>
    ${action}
  </div>`
}

/** Renders that the published schema has changed since the draft began; undefined if it has not. */
export function renderMovedOn(owner: SchemaOwner, { baseVersion }: Draft, published: LoadedSchema) {
  const { version, modified, modifiedBy } = published
  if (version === baseVersion) return undefined
  return html`<p id="moved-on">
      <strong>${t('movedOn', { version, base: baseVersion })}</strong>
      ${modifiedBy === undefined ? nothing : html`<bdi>${modifiedBy}</bdi> · `}
      ${modified === undefined ? nothing : html`<cartulary-moment .value=${modified}></cartulary-moment>`}
    </p>
    <p>${t('movedOnText')} <a href=${hrefTo(...screenOf(owner, 'Comparison'), { from: baseVersion, to: version })}>${t('compare')}</a></p>`
}

/** Renders the use of each limit of the schema, with a warning near it and above it: to use all that is allowed needs none. */
export function renderLimits(trees: Trees, limits: SchemaLimits) {
  const counts = countTrees(trees)
  return html`<dl class="line limits" aria-label=${t('limits')}>${limitNames.map((limit) => {
    const [used, max] = [counts[limit], limits[limit]]
    const fullness = fullnessOf(used, max)
    return html`<div>
      <dt>${t(limit)}</dt>
      <dd class=${fullness} data-limit=${limit}>
        ${t('usedOf', { used: formatNumber(used), max: formatNumber(max) })}
        ${fullness === 'free' || fullness === 'full' ? nothing : html`<wa-icon name="warning" label=${t(fullness)}></wa-icon>`}
      </dd>
    </div>`
  })}</dl>`
}

/** Text for the limit that a refused edit would exceed. */
export function exceededText(limit: Limit, limits: SchemaLimits): string {
  return t(`exceeded_${limit}`, { max: limits[limit] })
}

/** Text for a violated rule, in the language of the person. */
export function findingText({ rule, found = '', max = 0 }: Finding): string {
  return t(`rule_${rule}`, { found, max })
}
