/** Filter of the users: the query of the screen. */
export interface UserFilter {
  readonly q: string
  /** A built-in role or the id of a custom one; empty for all. */
  readonly role: string
  readonly state: '' | 'enabled' | 'disabled'
  readonly sort: 'username' | 'fullname' | 'created'
}

const sorts = ['username', 'fullname', 'created'] as const

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

/** Parameters of `searchPortalUsers`. */
export function userSearchOf({ q, role, state, sort }: UserFilter): Readonly<Record<string, string>> {
  const filters = [
    ...(role ? [`role:"${role.replaceAll('"', '')}"`] : []),
    ...(state ? [`disabled:"${state === 'disabled'}"`] : []),
  ]
  const terms = q.split(/\s+/).flatMap(termsOf)
  return {
    ...(terms.length > 0 && { q: terms.join(' ') }),
    ...(filters.length > 0 && { filter: filters.join(' AND ') }),
    sortField: sort,
    sortOrder: sort === 'created' ? 'desc' : 'asc',
  }
}

const operators = new Set(['AND', 'OR', 'NOT'])

/** Search terms of a word: a prefix, or a quoted value if it has characters of the search syntax. Punctuation alone gives none. */
function termsOf(word: string): readonly string[] {
  if (/^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.-]*$/u.test(word) && !operators.has(word)) return [`${word}*`]
  const text = word.replace(/["\\]/g, ' ').trim()
  return /[\p{L}\p{N}]/u.test(text) ? [`"${text}"`] : []
}
