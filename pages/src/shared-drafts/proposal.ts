import { html, nothing } from 'lit'
import { draftLimits } from '../../../src/categories/drafts/draft.ts'
import type { PersonSuggestions } from '../forms/person-suggestions.ts'
import { t } from './texts.ts'

/** Renders the fields of a proposal: the person, a word to them, and the name of a draft that it may give. */
export function renderProposal(people: PersonSuggestions, name?: string) {
  return html`<div class="stack">
    ${
      name === undefined
        ? nothing
        : html`<label class="field"><span>${t('name')}</span>
            <input name="name" dir="auto" required maxlength=${draftLimits.nameLength} autocomplete="off" .defaultValue=${name}></label>`
    }
    <label class="field"><span>${t('to')}</span>
      <input name="to" dir="ltr" list="people" autocomplete="off" spellcheck="false" .defaultValue=${''} @input=${people.suggest}>
      <small>${people.renderNameOr(t('toHint'))}</small></label>
    ${people.renderList('people')}
    ${renderNote(t('note'))}
  </div>`
}

/** Renders the field for words that a proposal or a return comes with. */
export function renderNote(label: string, isRequired = false) {
  return html`<label class="field"><span>${label}</span>
    <textarea name="note" dir="auto" rows="3" ?required=${isRequired} maxlength=${draftLimits.noteLength} .defaultValue=${''}></textarea></label>`
}
