import { html, nothing } from 'lit'
import { draftLimits } from '../../../src/categories/drafts/draft.ts'
import { field, textField } from '../elements/fields.ts'
import type { PersonSuggestions } from '../forms/person-suggestions.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { type SchemaOwner, screenOf } from '../owners/owners.ts'
import { said } from '../sentences/said.ts'
import { signedIn } from '../session/session.ts'
import { ofSharedDrafts as t } from '../texts/rooms.ts'
import type { DraftSummary } from './answers.ts'
import type { EndedDraft } from './send-draft.ts'

/** Renders the news of how a draft of this browser ended. */
export function renderEnded(owner: SchemaOwner, ended: EndedDraft | undefined) {
  if (!ended) return nothing
  const { name, version, by = '' } = ended
  return html`<wa-callout variant="success" role="status"><wa-icon slot="icon" name="check"></wa-icon>
    ${
      version === undefined
        ? t('endedDeleted', { name })
        : html`<a href=${hrefTo(...screenOf(owner, 'Version', { version: String(version) }))}>${t('endedPublished', { name, version, person: by })}</a>`
    }
  </wa-callout>`
}

/** Renders the state of a draft in a sentence, with the words that it comes with. */
export function renderState(draft: DraftSummary) {
  const { state, note, publishAt } = draft
  // The reason of a failure is a sentence of the server.
  const isReason = state === 'failed'
  return html`<div>
    <span>${t(keyOfState(draft), { person: draft.stateBy ?? '', reviewer: draft.reviewer ?? '' })}</span>
    ${publishAt === null ? nothing : html`<cartulary-moment .value=${publishAt}></cartulary-moment>`}
    ${note === null ? nothing : html`<div class="quiet">${isReason ? said(note) : html`<bdi>${note}</bdi>`}</div>`}
  </div>`
}

function keyOfState({ state, reviewer }: DraftSummary) {
  if (state !== 'proposed' || reviewer === null) return `state_${state}` as const
  return reviewer === signedIn()?.username ? 'state_proposedToYou' : 'state_proposedTo'
}

/** Renders the fields of a proposal: the person, a word to them, and the name of a draft that it may give. */
export function renderProposal(people: PersonSuggestions, name?: string) {
  return html`${name === undefined ? nothing : field('name', t('name'), { max: draftLimits.nameLength, required: true, value: name })}
    ${field('to', t('to'), { isCode: true, dir: 'ltr', list: 'people', onInput: people.suggest, hint: people.renderNameOr(t('toHint')) })}
    ${people.renderList('people')}
    ${renderNote(t('note'))}`
}

/** Renders the field for words that a proposal or a return comes with. */
export function renderNote(label: string, isRequired = false) {
  return textField('note', label, { rows: 3, max: draftLimits.noteLength, required: isRequired })
}
