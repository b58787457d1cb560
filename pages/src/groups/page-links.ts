import { html, nothing } from 'lit'
import { hrefTo } from '../navigation/navigation.ts'
import type { PathName, PathParameters } from '../navigation/paths.ts'
import { t } from './texts.ts'

/** Entries on a page of a list. */
export const pageSize = 25

interface ShownPage {
  readonly total: number
  readonly start: number
  /** How many are shown. */
  readonly count: number
}

/** Which part of a list is shown, and links to the parts before and behind it. */
export function pageLinks(
  { total, start, count }: ShownPage,
  name: PathName,
  parameters: PathParameters,
  query: Readonly<Record<string, string | undefined>>,
) {
  if (total <= count && start <= 1) return nothing
  const at = (first: number) => hrefTo(name, parameters, { ...query, start: first > 1 ? first : undefined })
  const next = start + count
  return html`<nav class="row" aria-label=${t('range', { first: start, last: start + count - 1, total })}>
    <span>${t('range', { first: start, last: start + count - 1, total })}</span>
    ${start > 1 ? html`<a rel="prev" href=${at(Math.max(1, start - pageSize))}>${t('previous')}</a>` : nothing}
    ${next <= total ? html`<a rel="next" href=${at(next)}>${t('next')}</a>` : nothing}
  </nav>`
}

/** The position that a query asks for, from 1. */
export function startOf(query: URLSearchParams): number {
  const start = Number(query.get('start') ?? 1)
  return Number.isSafeInteger(start) && start > 0 ? start : 1
}
