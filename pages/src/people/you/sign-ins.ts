import Bowser from 'bowser'
import type { sessionShape } from '../../../../src/http/shapes/directory/session.ts'
import type { ValueOf } from '../../../../src/http/shapes/shape.ts'
import { builtInApps } from '../../../../src/oauth/apps/app.ts'

export type Session = ValueOf<typeof sessionShape>

/** A sign-in as its person sees it: one session, or the sign-in of a browser with the built-in apps that it opened. */
export interface SignIn {
  /** The session that shows where it is: of a browser, if there is one. */
  readonly session: Session
  /** All of its sessions; the browser is first, as it could begin the others again. */
  readonly sessions: readonly Session[]
  readonly isCurrent: boolean
  readonly lastUsed: number | undefined
  readonly expires: number
}

/** Groups sessions by sign-ins: those of built-in apps go with the browser, at the same address, that signed in before them. */
export function listSignIns(sessions: readonly Session[]): readonly SignIn[] {
  const opened = new Map<Session, Session[]>()
  const alone: Session[] = []
  for (const session of sessions) {
    const browser = isBuiltIn(session.clientId) ? findBrowser(sessions, session) : undefined
    if (browser) opened.set(browser, [...(opened.get(browser) ?? []), session])
    else alone.push(session)
  }
  return alone.map((session) => signInOf([session, ...(opened.get(session) ?? [])]))
}

/** Finds the latest browser that could have opened the session of an app. */
function findBrowser(sessions: readonly Session[], app: Session): Session | undefined {
  return sessions
    .filter(
      ({ kind, userAgent, address, created }) =>
        kind === 'browser' && userAgent === app.userAgent && address === app.address && created <= app.created,
    )
    .reduce<Session | undefined>((found, each) => (found && found.created >= each.created ? found : each), undefined)
}

function signInOf(sessions: readonly Session[]): SignIn {
  const used = sessions.flatMap(({ lastUsed }) => (lastUsed === undefined ? [] : [lastUsed]))
  return {
    session: sessions[0]!,
    sessions,
    isCurrent: sessions.some(({ current }) => current),
    lastUsed: used.length === 0 ? undefined : Math.max(...used),
    expires: Math.max(...sessions.map(({ expires }) => expires)),
  }
}

/** Identifies built-in apps by client id: an app registered before such titles were refused may have a built-in one's title. */
export function isBuiltIn(clientId: string | undefined): boolean {
  return builtInApps.some((app) => app.clientId === clientId)
}

/** Browser and system of a User-Agent; undefined where it names none that is known. */
export function readAgent(
  agent: string | undefined,
): { readonly browser: string; readonly system: string } | undefined {
  if (!agent) return undefined
  const { browser, os } = Bowser.parse(agent)
  return browser.name && os.name ? { browser: browser.name, system: os.name } : undefined
}
