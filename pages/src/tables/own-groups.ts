import { call } from '../session/session.ts'
import type { NamedThings } from './names.ts'

/** Groups that the person belongs to, as far as one page has them. */
export async function listOwnGroups(signal: AbortSignal): Promise<NamedThings> {
  const parameters = { searchUserAccess: 'groupMember', num: 100 }
  const { results } = await call<{ readonly results: readonly { readonly id: string; readonly title: string }[] }>(
    '/community/groups',
    parameters,
    { signal },
  )
  return results.map(({ id, title }) => [id, title] as const)
}
