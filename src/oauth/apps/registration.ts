import type { Parsed } from '../../call/parsed.ts'
import { allPrivileges, isPrivilege, type Privilege } from '../../call/privilege.ts'
import { say } from '../../sentences/say.ts'
import { findNearest, withHint } from '../../spelling.ts'
import type { App, AppType } from './app.ts'
import { maxRedirectUriLength, parseRedirectUri } from './redirect-uri.ts'

/** Chosen. */
export const appLimits = { redirectUris: 50, httpReferrers: 50 } as const

/** Switches of an app, which only an update sets (chosen). */
export type AppSwitches = Pick<
  App,
  'allowsPlain' | 'cannotProve' | 'queryMayDiffer' | 'rotatesAlways' | 'asksNothing' | 'isDisabled'
>

/** Switches that are for administrators alone: they decide over the users of the organization (chosen). */
export const switchesOfAdministrators: readonly (keyof AppSwitches)[] = ['asksNothing', 'isDisabled']

/** Given properties of an app when it is registered. */
export interface Registration {
  readonly appType: AppType
  readonly redirectUris: readonly string[]
  readonly httpReferrers: readonly string[]
  readonly privileges: readonly Privilege[]
}

export const noSwitches: AppSwitches = {
  allowsPlain: false,
  cannotProve: false,
  queryMayDiffer: false,
  rotatesAlways: false,
  asksNothing: false,
  isDisabled: false,
}

/** Privileges of an app whose registration does not list any: see what the organization shares (chosen). */
export const defaultPrivileges: readonly Privilege[] = [
  'portal:user:viewOrgGroups',
  'portal:user:viewOrgItems',
  'portal:user:viewOrgUsers',
]

/** `["https://app.example.com/"]` → addresses, each once. */
export function parseRedirectUris(given: unknown): Parsed<readonly string[]> {
  return parseTexts(given, appLimits.redirectUris, (text) => {
    const parsed = parseRedirectUri(text)
    return 'problems' in parsed ? parsed.problems[0] : undefined
  })
}

/** Kept as they are. */
export function parseReferrers(given: unknown): Parsed<readonly string[]> {
  return parseTexts(given, appLimits.httpReferrers, (text) => {
    if (text.length > maxRedirectUriLength) return say('tooLong', { length: text.length, max: maxRedirectUriLength })
    return /^[\x20-\x7e]*$/.test(text) ? undefined : 'has a character that no URL has; encode it.'
  })
}

export function parseAppPrivileges(given: unknown): Parsed<readonly Privilege[]> {
  const parsed = parseTexts(given, 1_000, (text) =>
    isPrivilege(text) ? undefined : withHint('is not a privilege', findNearest(text, allPrivileges)),
  )
  return 'problems' in parsed ? parsed : { value: parsed.value.filter(isPrivilege) }
}

function parseTexts(
  given: unknown,
  max: number,
  findProblem: (text: string) => string | undefined,
): Parsed<readonly string[]> {
  if (!Array.isArray(given)) return { problems: ['is not a list of texts, such as ["…"].'] }
  if (given.length > max) return { problems: [say('tooManyEntries', { count: given.length, max })] }
  const problems = given.flatMap((entry: unknown, position) => {
    const problem = typeof entry === 'string' ? findProblem(entry) : 'is not a text.'
    return problem === undefined ? [] : [`/${position} ${problem}`]
  })
  // One error is enough to begin with, and a list of fifty is read by no one.
  return problems.length > 0 ? { problems: problems.slice(0, 1) } : { value: [...new Set(given as string[])] }
}
