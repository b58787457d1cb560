import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Actors, type Caller, type Fixture, openActors } from '../../../support/portal/actors.ts'
import { withReasons } from '../../../support/portal/envelopes.ts'
import { forbidden, notFound, type Refusal, tokenInvalid, tokenRequired } from './expectations/outcomes.ts'

/** Files in multipart bodies, with the token as one more part: who may call is the same as for their text. */

const wanted = { holder: ['portal:admin:manageCollaborations'], lacking: [] } as const

let actors: Actors

beforeAll(async () => {
  actors = await openActors('private', [wanted])
})

beforeEach(() => actors.database.rewind())

afterAll(() => actors[Symbol.asyncDispose]())

const invitation = ({ theirs }: Fixture) => ({ name: 'invitationFile', text: theirs.invitation })
const response = ({ ours }: Fixture) => ({ name: 'invitationResponseFile', text: ours.response })
const answered = ({ ours }: Fixture) => `/collaborations/${ours.answeredCollaborationId}`

const uploads = [
  ['validateCollaborationInvitation', () => '', invitation],
  ['acceptCollaborationInvitation', () => '', invitation],
  ['validateInvitationResponse', answered, response],
  ['importInvitationResponse', answered, response],
] as const

const refusals: readonly (readonly [Caller, Refusal])[] = [
  ['anonymous', tokenRequired],
  ['unknownToken', tokenInvalid],
  ['expiredToken', tokenInvalid],
  ['revokedToken', tokenInvalid],
  ['disabledUser', tokenInvalid],
  ['outsider', notFound],
  ['publisher', forbidden],
  ['owner', forbidden],
]

test.each(uploads)('%s takes a file from those who may call', async (operation, where, file) => {
  for (const caller of ['administrator', 'everything', 'holder'] as const) {
    await actors.database.rewind()
    expect(await upload(caller, `${where(actors.fixture)}/${operation}`, file(actors.fixture))).toMatchObject({
      success: true,
    })
  }
})

test.each(uploads)('%s refuses the others, whatever their file is', async (operation, where, file) => {
  const { name, text } = file(actors.fixture)
  for (const [caller, error] of refusals) {
    for (const given of [text, '\u0000', '']) {
      await actors.database.rewind()
      const path = `${where(actors.fixture)}/${operation}`
      expect(await upload(caller, path, { name, text: given }), caller).toEqual(withReasons(error))
      const { audit, ...others } = await actors.database.changes()
      expect(others).toEqual({})
      expect((audit?.added ?? []).map(({ outcome }) => outcome)).toEqual(error.code < 498 ? [error.code] : [])
    }
  }
})

/** Uploads a file below the organization's own path; resolves with the response. */
async function upload(caller: Caller, path: string, file: { name: string; text: string }): Promise<unknown> {
  const form = new FormData()
  const { token } = actors.find(caller, wanted)
  if (token !== undefined) form.set('token', token)
  form.set(file.name, new Blob([file.text]), 'collaboration.file')
  const request = new Request('http://localhost', { method: 'POST', body: form })
  const { body } = await actors.portal.inject({
    method: 'POST',
    url: `/portals/${actors.fixture.portalId}${path}`,
    headers: { 'content-type': request.headers.get('content-type')! },
    payload: Buffer.from(await request.arrayBuffer()),
  })
  return JSON.parse(body)
}
