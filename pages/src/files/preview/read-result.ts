import { html, nothing } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import type { SchemaLimits } from '../../../../src/categories/limits.ts'
import type { Move } from '../../../../src/categories/moves.ts'
import { tick } from '../../elements/fields.ts'
import { renderTable } from '../../elements/lists/table.ts'
import type { ImportAnswer, SchemaPlan, SuggestedMove } from '../../schemas/answers.ts'
import { renderSchemaList } from '../../schemas/schema-list.ts'
import { renderSchemaPlan } from '../../schemas/schema-plan.ts'
import { said } from '../../sentences/said.ts'
import { renderUnread } from '../../tables/reading-choices.ts'
import { ofFilesPreview as t } from '../../texts/rooms.ts'
import { type Accepted, type ImportPlan, planOf, type Refused } from './outcome.ts'

/** Notes that are seen without unfolding them. */
const maxOpenNotes = 5

interface Renames {
  readonly moves: readonly Move[]
  readonly suggestions: readonly SuggestedMove[]
  readonly confirmed: readonly Move[]
  readonly onConfirmed: (moves: readonly Move[]) => void
}

/** Renders the changes that a file would make: renames, notes by row, the changes, and the whole tree. */
export function renderReadResult({ present, answer }: Accepted, renames: Renames) {
  const { categorySchema, imported } = answer
  const plan = planOf(answer)
  return html`<div class="stack">
    ${renames.moves.length + renames.suggestions.length > 0 ? renderRenames(renames) : nothing}
    ${imported.notes.length > 0 ? renderNotes(imported.notes) : nothing}
    <section class="panel stack" aria-labelledby="changes">
      <h3 id="changes">${t('changes')}</h3>
      ${
        plan
          ? html`${renderSchemaPlan({ ...plan, impact: { ...plan.impact, vanishing: 0 } }, present, { categorySchema })}`
          : nothing
      }
    </section>
    <details class="panel">
      <summary>${t('wholeTree')}</summary>
      ${renderSchemaList(categorySchema)}
    </details>
  </div>`
}

function renderNotes(notes: ImportAnswer['imported']['notes']) {
  return html`<details class="panel" ?open=${notes.length <= maxOpenNotes}>
    <summary>${t('notes', { count: notes.length })}</summary>
    ${renderTable(notes, [
      [t('row'), ({ row }) => row ?? '–'],
      [
        t('note'),
        ({ uri, message }) => html`${said(message)}${uri ? html`<div class="quiet"><bdi>${uri}</bdi></div>` : nothing}`,
      ],
    ])}
  </details>`
}

/** Renders renames that a file says by identifiers, and likely ones, each with a box: items follow those that are ticked. */
function renderRenames({ moves, suggestions, confirmed, onConfirmed }: Renames) {
  return html`<section class="panel stack" aria-labelledby="renames">
    <h3 id="renames">${t('renames')}</h3>
    ${
      moves.length > 0
        ? html`<p>${t('renamesKnown', { count: moves.length })}</p>
            <ul>${moves.map(({ from, to }) => html`<li>${t('rename', { from, to })}</li>`)}</ul>`
        : nothing
    }
    ${
      suggestions.length > 0
        ? html`<fieldset>
            <legend>${t('renamesLikely')}</legend>
            <p class="quiet">${t('renamesLikelyText')}</p>
            ${repeat(suggestions, keyOf, (suggestion) => renderSuggestion(suggestion, confirmed, onConfirmed))}
          </fieldset>`
        : nothing
    }
  </section>`
}

function renderSuggestion(
  { from, to, confidence, items }: SuggestedMove,
  confirmed: Renames['confirmed'],
  onConfirmed: Renames['onConfirmed'],
) {
  const others = confirmed.filter((move) => keyOf(move) !== keyOf({ from, to }))
  return tick(
    html`${t('rename', { from, to })}<br> <small>${t(`confidence_${confidence}`)}${!items ? nothing : ` · ${t('wouldFollow', { items })}`}</small>`,
    others.length < confirmed.length,
    { onChange: (ticked) => onConfirmed(ticked ? [...others, { from, to }] : others) },
  )
}

function keyOf({ from, to }: Move): string {
  return `${from}\n${to}`
}

/**
 * Renders why a file is refused: sentences of the server but for those that stand in the table, at their rows; nothing if all do.
 * A file that is too large says so in the words of the page, as the branches that would fit are listed below.
 */
export function renderRefusal(
  { refusal, reading, branches }: Refused,
  { levels, categories }: SchemaLimits,
  readAsWindows1252: () => void,
) {
  const marked = new Set(reading?.table?.marks.map(({ message }) => message))
  const isNeeded = (sentence: string) => !marked.has(sentence)
  if (!branches && !refusal.sentences.some(isNeeded)) return nothing
  const heading = html`<strong>${t('refused')}</strong>
    ${branches ? html`<p>${t('tooLarge', { levels, categories })}</p>` : nothing}`
  return renderUnread(heading, { sentences: refusal.sentences, isNeeded }, readAsWindows1252)
}

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
