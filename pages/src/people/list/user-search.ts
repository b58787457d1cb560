import { searchTermsOf } from '../../forms/search-terms.ts'

/** Filter of the users: the query of the screen. */
export interface UserFilter {
  readonly q: string
  /** A built-in role or the id of a custom one; empty for all. */
  readonly role: string
  readonly state: '' | 'enabled' | 'disabled'
  readonly sort: 'username' | 'fullname' | 'created'
}

export const sorts = ['username', 'fullname', 'created'] as const

/** Parses the filter of an address; unknown values are ignored. */
export function readUserFilter(query: URLSearchParams): UserFilter {
  const state = query.get('state')
  return {
    q: query.get('q')?.trim() ?? '',
    role: query.get('role') ?? '',
    state: state === 'enabled' || state === 'disabled' ? state : '',
    sort: sorts.find((sort) => sort === query.get('sort')) ?? 'username',
  }
}

/** Query of an address; defaults are left out. */
export function queryOfUsers({ q, role, state, sort }: UserFilter): Readonly<Record<string, string>> {
  return { q, role, state, sort: sort === 'username' ? '' : sort }
}

/** Parameters of `searchPortalUsers`. */
export function userSearchOf({ q, role, state, sort }: UserFilter): Readonly<Record<string, string>> {
  const filters = [
    ...(role ? [`role:"${role.replaceAll('"', '')}"`] : []),
    ...(state ? [`disabled:"${state === 'disabled'}"`] : []),
  ]
  const terms = searchTermsOf(q)
  return {
    ...(terms !== '' && { q: terms }),
    ...(filters.length > 0 && { filter: filters.join(' AND ') }),
    sortField: sort,
    sortOrder: sort === 'created' ? 'desc' : 'asc',
  }
}
