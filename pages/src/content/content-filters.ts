import { css, html } from 'lit'
import { property } from 'lit/decorators.js'
import { fieldStyle } from '../elements/field-style.ts'
import { readFields } from '../elements/fields.ts'
import { PageElement } from '../elements/page-element.ts'
import { otherTypes, usualTypes } from './item-types.ts'
import { type ContentState, sortNames, whoseItems } from './state.ts'
import { t } from './texts.ts'

/** Filters and order of the content list. Emits `narrowed` with the values of the fields. */
class ContentFilters extends PageElement {
  static override styles = [
    fieldStyle,
    css`
      .filters {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr));
        gap: 0.75rem;
        align-items: end;
      }
      .find {
        display: flex;
        flex-wrap: wrap;
        gap: 0.75rem;
        align-items: end;
      }
      .find > .field {
        flex: 1 1 14rem;
        max-width: none;
      }
    `,
  ]

  @property({ attribute: false }) state!: ContentState

  override render() {
    const { q, whose, type, tag, owner, sort } = this.state
    return html`<form class="stack" role="search" @submit=${this.#send}>
      <div class="find">
        <label class="field"><span>${t('search')}</span><input name="q" type="search" .value=${q}></label>
        <wa-button type="submit" appearance="outlined"><wa-icon slot="start" name="search"></wa-icon>${t('find')}</wa-button>
      </div>
      <div class="filters">
        <label class="field">
          <span>${t('whose')}</span>
          <select name="whose" @change=${this.#send}>
            ${whoseItems.map((each) => html`<option value=${each} .selected=${each === whose}>${t(`whose_${each}`)}</option>`)}
          </select>
        </label>
        <label class="field"><span>${t('type')}</span><input name="type" list="types" .value=${type}></label>
        <datalist id="types">${[...usualTypes, ...otherTypes].map((each) => html`<option value=${each}></option>`)}</datalist>
        <label class="field"><span>${t('tag')}</span><input name="tag" .value=${tag}></label>
        <label class="field"><span>${t('owner')}</span><input name="owner" .value=${owner}></label>
        <label class="field">
          <span>${t('order')}</span>
          <select name="sort" @change=${this.#send}>
            ${sortNames.map((each) => html`<option value=${each} .selected=${each === sort}>${t(`sort_${each}`)}</option>`)}
          </select>
        </label>
      </div>
      <input type="submit" hidden>
    </form>`
  }

  #send(event: Event): void {
    event.preventDefault()
    const detail = readFields(this.renderRoot) as Partial<ContentState>
    this.dispatchEvent(new CustomEvent('narrowed', { detail }))
  }
}

customElements.define('cartulary-content-filters', ContentFilters)
