import { choice, enterSubmits, field, readFields } from '../elements/fields.ts'
import '../forms/filter-bar.ts'
import { html } from 'lit'
import type { ActiveFilter } from '../forms/filter-bar.ts'
import { hrefTo, replaceQuery } from '../navigation/navigation.ts'
import { ofContent as t } from '../texts/rooms.ts'
import { otherTypes, usualTypes } from './item-types.ts'
import { type ContentState, changeState, queryOf, sortNames, whoseItems } from './state.ts'

/** Renders search, filters and order of the content list; `narrow` is called with the values of the filters. */
export function renderContentFilters(state: ContentState, narrow: (filters: Partial<ContentState>) => void) {
  const { q, whose, type, tag, owner, sort } = state
  const send = (event: Event) => {
    event.preventDefault()
    narrow(readFields(event.currentTarget as HTMLFormElement) as Partial<ContentState>)
  }
  return html`<cartulary-filter-bar
    label=${t('search')} .value=${q} .active=${listActive(state)}
    reset=${hrefOf(state, { whose: 'all', type: '', tag: '', owner: '' })} @words=${({ detail }: CustomEvent<string>) => replaceQuery(queryOf(changeState(state, { q: detail })))}
  >
    <form class="fields" @submit=${send} @change=${send}>
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

function listActive(state: ContentState): readonly ActiveFilter[] {
  const { whose } = state
  const ofTexts = (['type', 'tag', 'owner'] as const).flatMap((name) => {
    const value = state[name]
    return value === '' ? [] : [{ name: t(name), value, href: hrefOf(state, { [name]: '' }) }]
  })
  return [
    ...(whose === 'all' ? [] : [{ value: t(`whose_${whose}`), href: hrefOf(state, { whose: 'all' }) }]),
    ...ofTexts,
  ]
}

function hrefOf(state: ContentState, change: Partial<ContentState>): string {
  return hrefTo('content', {}, queryOf(changeState(state, change)))
}
