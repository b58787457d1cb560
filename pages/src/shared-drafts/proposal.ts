import { html, nothing } from 'lit'
import { draftLimits } from '../../../src/categories/drafts/draft.ts'
import { field, textField } from '../elements/fields.ts'
import type { PersonSuggestions } from '../forms/person-suggestions.ts'
import { ofSharedDrafts as t } from '../texts/rooms.ts'

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
