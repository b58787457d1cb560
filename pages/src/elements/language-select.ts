import { html } from 'lit'
import type { Language } from '../../../src/languages.ts'
import { languageNames } from '../texts/languages.ts'
import { presentLanguage, setLanguage } from '../texts/texts.ts'

/** Language choice, effective immediately; if its texts do not load, the present language is shown again. */
export function renderLanguageSelect() {
  return html`<select @change=${chooseLanguage}>
    ${Object.entries(languageNames).map(
      ([language, name]) =>
        html`<option value=${language} lang=${language} ?selected=${language === presentLanguage()}>${name}</option>`,
    )}
  </select>`
}

async function chooseLanguage({ target }: Event): Promise<void> {
  const select = target as HTMLSelectElement
  await setLanguage(select.value as Language)
  select.value = presentLanguage()
}
