import { sessionKinds } from '../../../oauth/sessions/session.ts'
import type { ListedSession } from '../../../oauth/sessions/session-operations.ts'
import { boolean, choice, component, id, object, text, time, type ValueOf } from '../shape.ts'

export const sessionShape = component(
  'Session',
  'A sign-in of a user that has not ended.',
  object(
    {
      id: id('By which it is ended; it is no token.'),
      kind: choice(
        sessionKinds,
        'A token of generateToken, an app that the user signed in to, or a browser on the pages of sign-in.',
      ),
      way: choice(['password', 'session', 'provider'], 'By what the user signed in.'),
      created: time('When the user signed in.'),
      expires: time('When it ends at the latest.'),
      current: boolean('Whether the request was made in it.'),
    },
    {
      clientId: text('Only of an app.'),
      appTitle: text('Only of an app that is registered.'),
      address: text('Network address, of IPv6 its first half; absent for tokens of earlier versions.'),
      userAgent: text('Start of the User-Agent; absent like the address.'),
      lastUsed: time('When an app got its last token, or a browser used a page of sign-in; absent for a token.'),
    },
  ),
)

export function sessionToWire(session: ListedSession): ValueOf<typeof sessionShape> {
  const { clientId, appTitle, address, agent, lastUsedAt } = session
  return {
    id: session.sessionId,
    kind: session.kind,
    way: session.way,
    ...(clientId !== undefined && { clientId }),
    ...(appTitle !== undefined && { appTitle }),
    ...(address !== undefined && { address }),
    ...(agent !== undefined && { userAgent: agent }),
    created: session.createdAt,
    ...(lastUsedAt !== undefined && { lastUsed: lastUsedAt }),
    expires: session.expiresAt,
    current: session.isCurrent,
  }
}
