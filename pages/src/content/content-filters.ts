import { choice, enterSubmits, field, readFields } from '../elements/fields.ts'
import '../forms/filter-bar.ts'
import { html } from 'lit'
import { property } from 'lit/decorators.js'
import { PageElement } from '../elements/page.ts'
import type { ActiveFilter } from '../forms/filter-bar.ts'
import { hrefTo, replaceQuery } from '../navigation/navigation.ts'
import { ofContent as t } from '../texts/rooms.ts'
import { otherTypes, usualTypes } from './item-types.ts'
import { type ContentState, changeState, queryOf, sortNames, whoseItems } from './state.ts'

/** Search, filters and order of the content list. Emits `narrowed` with the values of the filters. */
class ContentFilters extends PageElement {
  @property({ attribute: false }) state!: ContentState

  override render() {
    const { q, whose, type, tag, owner, sort } = this.state
    return html`<cartulary-filter-bar
      label=${t('search')} .value=${q} .active=${this.#listActive()}
      reset=${this.#hrefTo({ whose: 'all', type: '', tag: '', owner: '' })} @words=${({ detail }: CustomEvent<string>) => replaceQuery(queryOf(changeState(this.state, { q: detail })))}
    >
      <form class="fields" @submit=${this.#send} @change=${this.#send}>
        ${enterSubmits}
        ${choice('whose', t('whose'), whoseItems, (each) => t(`whose_${each}`), whose, { isLive: true })}
        ${field('type', t('type'), { list: 'types', value: type, follows: true })}
        <datalist id="types">${[...usualTypes, ...otherTypes].map((each) => html`<option value=${each}></option>`)}</datalist>
        ${field('tag', t('tag'), { value: tag, follows: true })}
        ${field('owner', t('owner'), { value: owner, follows: true })}
        ${choice('sort', t('order'), sortNames, (each) => t(`sort_${each}`), sort, { isLive: true })}
      </form>
    </cartulary-filter-bar>`
  }

  #listActive(): readonly ActiveFilter[] {
    const { whose } = this.state
    const ofTexts = (['type', 'tag', 'owner'] as const).flatMap((name) => {
      const value = this.state[name]
      return value === '' ? [] : [{ name: t(name), value, href: this.#hrefTo({ [name]: '' }) }]
    })
    return [
      ...(whose === 'all' ? [] : [{ value: t(`whose_${whose}`), href: this.#hrefTo({ whose: 'all' }) }]),
      ...ofTexts,
    ]
  }

  #hrefTo(change: Partial<ContentState>): string {
    return hrefTo('content', {}, queryOf(changeState(this.state, change)))
  }

  #send(event: Event): void {
    event.preventDefault()
    const detail = readFields(this.renderRoot) as Partial<ContentState>
    this.dispatchEvent(new CustomEvent('narrowed', { detail }))
  }
}

customElements.define('cartulary-content-filters', ContentFilters)
