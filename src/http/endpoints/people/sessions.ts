import { mapParsed } from '../../../call/parsed.ts'
import { annasSessionId, exampleIds, sessionsAnswer } from '../../examples/examples.ts'
import { sessionShape, sessionToWire } from '../../shapes/directory/session.ts'
import { pageOf, pageToWire } from '../../shapes/page.ts'
import { success } from '../../shapes/success.ts'
import { type Endpoint, endpointsOf, runByIds } from '../endpoint.ts'
import { pageParameters } from '../page-parameters.ts'
import { optionalBoolean } from '../parameter-types.ts'
import { governedUsers } from './users.ts'

const endpoint = endpointsOf('oauth')

const { username } = exampleIds
const who = 'The user; administrators, and custom roles with portal:admin:disableUsers'

/** Sign-ins of users: what there is, and their end. */
export const sessionRows: readonly Endpoint[] = [
  endpoint({
    id: 'listSessions',
    title: 'Sessions',
    path: '/community/users/:username/sessions',
    parameters: pageParameters,
    who,
    summary: 'The sign-ins of a user that have not ended, by whichever way, the latest first.',
    source: 'chosen',
    chosen: [
      'An app is one session, however many tokens it has been issued; an id is no token and shows nothing of one.',
      governedUsers,
    ],
    answers: { json: pageOf('sessions', sessionShape) },
    example: { ids: { username }, answer: sessionsAnswer },
    async answer({ ids, input, tokenHash, run }) {
      const page = await run({ username: ids.username, tokenHash, page: input })
      return { json: pageToWire('sessions', page, sessionToWire) }
    },
  }),
  endpoint({
    id: 'endSession',
    title: 'End session',
    task: 'end the session',
    path: '/community/users/:username/sessions/:sessionId/end',
    who,
    summary: 'Ends one session, with all tokens that it was issued.',
    source: 'chosen',
    chosen: [
      'The session of the request can be ended too.',
      'An app whose session is ended asks the user again, also where the browser is signed in, and an app that asks nothing asks once.',
      governedUsers,
    ],
    example: { ids: { username, sessionId: annasSessionId }, answer: { success: true } },
    answer: runByIds,
  }),
  endpoint({
    id: 'endSessions',
    title: 'End all sessions',
    task: 'end the sessions',
    path: '/community/users/:username/sessions/endAll',
    parameters: {
      includeCurrent: optionalBoolean('Ends the session of the request, too; default false.'),
    },
    who,
    summary: 'Ends all sessions of a user, but that of the request.',
    source: 'chosen',
    chosen: ['Open links to a new password end with the sessions.', governedUsers],
    example: { ids: { username }, answer: { success: true } },
    async answer({ ids, input, tokenHash, run }) {
      const ended = mapParsed(input, ({ includeCurrent = false }) => ({ includesCurrent: includeCurrent }))
      await run({ username: ids.username, tokenHash, ended })
      return success
    },
  }),
]
