import { html } from 'lit'
import { t } from './texts.ts'

/** A line of text with its limit. */
export function textField(name: string, label: string, maximum: number, isRequired = false, value = '') {
  return html`<label class="field">
    <span>${label}</span>
    <input name=${name} maxlength=${maximum} ?required=${isRequired} autocomplete="off" dir="auto" .defaultValue=${value}>
    <small>${isRequired ? t('requiredUpTo', { maximum }) : t('upTo', { maximum })}</small>
  </label>`
}
