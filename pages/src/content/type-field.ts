import { css, html, nothing } from 'lit'
import { query, state } from 'lit/decorators.js'
import { PageElement } from '../elements/page.ts'
import { ofContent as t } from '../texts/rooms.ts'
import { iconOfType, otherTypes, usualTypes } from './item-types.ts'

/** Choice of the type of a new item: the usual ones with their icons, or any other text. */
export class TypeField extends PageElement {
  static override styles = css`
    .types {
      display: grid;
      grid-template-columns: repeat(auto-fill, minmax(min(100%, 10rem), 1fr));
      gap: 0.5rem;
      margin-block: 0.25rem 0.75rem;
    }
    .types label {
      display: flex;
      gap: 0.5rem;
      align-items: center;
      min-width: 0;
      padding: 0.375rem 0.625rem;
      border: 1px solid var(--wa-color-surface-border);
      border-radius: 0.375rem;
      cursor: pointer;
    }
    .types label:has(:checked) {
      border-color: var(--wa-color-brand-border-loud);
      background: var(--wa-color-brand-fill-quiet);
    }
    .types span {
      min-width: 0;
    }
    wa-icon {
      flex: none;
    }
  `

  /** A usual type; undefined for another one, which is typed. */
  @state() chosen: string | undefined = usualTypes[0]
  @query('#other') other!: HTMLInputElement | null

  get value(): string {
    return this.chosen ?? this.other?.value.trim() ?? ''
  }

  /** Whether there is a type; if not, the browser shows the problem. */
  report(): boolean {
    return this.chosen !== undefined || (this.other?.reportValidity() ?? false)
  }

  override render() {
    const choice = (type: string | undefined, words: string) => html`<label>
      <input type="radio" name="chosen" .checked=${type === this.chosen} @change=${() => (this.chosen = type)}>
      <wa-icon name=${type === undefined ? 'ellipsis' : iconOfType(type)}></wa-icon><span>${words}</span>
    </label>`
    return html`<fieldset>
        <legend>${t('type')}</legend>
        <div class="types">${usualTypes.map((type) => choice(type, type))}${choice(undefined, t('otherType'))}</div>
      </fieldset>
      ${
        this.chosen === undefined
          ? html`<label class="field">
              <span>${t('otherTypeName')}</span><input id="other" required maxlength="128" list="types" autocomplete="off">
              <datalist id="types">${otherTypes.map((type) => html`<option value=${type}></option>`)}</datalist>
            </label>`
          : nothing
      }`
  }
}

customElements.define('cartulary-type-field', TypeField)
