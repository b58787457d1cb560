import { said } from '../sentences/said.ts'
import './difference.ts'
import { html, nothing } from 'lit'
import type { CategorySchema } from '../../../src/categories/schema.ts'
import { listPaths } from '../../../src/categories/schema-paths.ts'
import { findTwins } from '../../../src/categories/schema-warnings.ts'
import { ofSchemas as t } from '../texts/rooms.ts'
import type { SchemaPlan } from './answers.ts'
import { presentSums } from './sums.ts'

/** Renders the effects of a change of a schema: counts, losses of items, warnings of the server, and the tree. */
export function renderSchemaPlan(
  { summary, changes, impact, warnings }: Pick<SchemaPlan, 'summary' | 'changes' | 'impact' | 'warnings'>,
  older: CategorySchema,
  newer: CategorySchema,
) {
  const counts = { ...summary, added: countCategories(changes, 'add'), removed: countCategories(changes, 'remove') }
  const counted = presentSums(counts)
  const { twins, others } = readWarnings(warnings, listPaths(newer))
  return html`<div class="stack">
    ${counted.length > 0 ? html`<ul role="list" class="row">${counted.map((sum) => html`<li>${t(`${sum}Count`, { count: counts[sum] })}</li>`)}</ul>` : nothing}
    ${impact.moved !== 0 ? html`<p>${impact.moved === null ? t('itemsUncounted') : t('movedItems', { items: impact.moved })}</p>` : nothing}
    ${
      impact.vanishing !== 0
        ? html`<wa-callout variant="warning"><wa-icon slot="icon" name="warning"></wa-icon>
            <p>${impact.vanishing === null ? t('itemsUncounted') : t('vanishingItems', { items: impact.vanishing })}</p>
            <ul>${impact.byPath.map(({ path, items }) => html`<li><bdi>${path}</bdi>${items == null ? nothing : ` · ${t('items', { items })}`}</li>`)}</ul>
          </wa-callout>`
        : nothing
    }
    ${
      warnings.length > 0
        ? html`<wa-callout variant="warning"><wa-icon slot="icon" name="warning"></wa-icon>
            <ul>${twins.map(({ path, count }) => html`<li>${t('twins', { path, count })}</li>`)}${others.map((warning) => html`<li>${said(warning)}</li>`)}</ul>
          </wa-callout>`
        : nothing
    }
    <cartulary-difference .older=${older} .newer=${newer} .changes=${changes}></cartulary-difference>
  </div>`
}

/** Paths that several categories have, and the other warnings in the sentences of the server. */
function readWarnings(warnings: readonly string[], paths: readonly string[]) {
  const known = new Set(findTwins(paths))
  const twins = [...new Set(paths)]
    .map((path) => ({ path, count: paths.filter((other) => other === path).length }))
    .filter(({ count }) => count > 1)
  return { twins, others: warnings.filter((warning) => !known.has(warning)) }
}

/** Counts added or removed categories, including those below them. */
function countCategories(changes: SchemaPlan['changes'], op: 'add' | 'remove'): number {
  return changes.reduce((sum, change) => (change.op === op ? sum + change.categories : sum), 0)
}
