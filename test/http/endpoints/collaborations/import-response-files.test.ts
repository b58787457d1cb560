import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aGoodFile, hostileOfEachGroup } from '../../../support/inputs/hostile-files.ts'
import { seededRandom } from '../../../support/inputs/seeded-random.ts'
import { answerHost, aResponse, responseNames, writeResponse } from '../../../support/inputs/signed-files.ts'
import { refused } from '../../../support/portal/envelopes.ts'
import { sendFile } from '../../../support/portal/handshake.ts'
import { openInvited } from './invited-guest.ts'

const file = 'invitationResponseFile'
const text = 'invitationResponseJSON'

/** With the guest's response. */
async function invited() {
  const opened = await openInvited()
  await opened.database.keep()
  return {
    ...opened,
    good: aGoodFile(responseNames, aResponse(opened.invitation)),
    changed: () => opened.database.changedTables(),
    importPath: `${opened.host.path}/importInvitationResponse`,
    validatePath: `${opened.host.path}/validateInvitationResponse`,
  }
}

test('a hostile file of each group is refused with the reason, as a file and as text, and changes nothing', async () => {
  await using world = await invited()
  for (const { what, text, why } of hostileOfEachGroup(world.good)) {
    const imported = await sendFile(world.host.client, world.importPath, file, text)
    expect(imported, what).toEqual(refused('import invitation response', why))
    expect(await answerHost(world.host, text), what).toEqual(refused('import invitation response', why))
    const validated = await sendFile(world.host.client, world.validatePath, file, text)
    expect(validated, what).toEqual(refused('validate invitation response', why))
  }
  expect(await world.changed()).toEqual([])
  expect(await answerHost(world.host, world.good.text)).toMatchObject({ success: true })
  expect(await world.changed()).toEqual(
    expect.arrayContaining(['invitations', 'invitation_steps', 'participants', 'participant_workspaces']),
  )
})

test.each(['file', 'text', 'file in a field'])('a good response imports as %s', async (way) => {
  await using world = await invited()
  const { client } = world.host
  const answer =
    way === 'file'
      ? await sendFile(client, world.importPath, file, world.good.text)
      : await client.post(world.importPath, { [way === 'text' ? text : file]: world.good.text })
  expect(answer).toMatchObject({ success: true, invitationResponse: world.good.document })
})

describe('nothing is changed:', () => {
  let world: Awaited<ReturnType<typeof invited>>

  beforeAll(async () => {
    world = await invited()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('any of 30 bytes changed by chance is refused, and changes nothing', async () => {
    const bytes = Buffer.from(world.good.text)
    const random = seededRandom(200)
    for (let time = 0; time < 30; time += 1) {
      const altered = Buffer.from(bytes)
      const at = Math.floor(random() * bytes.length)
      altered[at] = (bytes[at]! + 1 + Math.floor(random() * 255)) % 256
      const answer = await sendFile(world.host.client, world.importPath, file, altered)
      const { code, message, details } = answer.error
      expect([code, message]).toEqual([400, 'Unable to import invitation response.'])
      expect(details).toEqual([expect.stringMatching(/^[A-Za-z].*\.$/)])
    }
    expect(await world.changed()).toEqual([])
  })

  test('bytes that are not UTF-8 are refused, as a file and as text', async () => {
    const latin = Buffer.from(world.good.text, 'latin1')
    const because = (name: string) => refused('import invitation response', `${name}: the bytes are not UTF-8.`)
    expect(await sendFile(world.host.client, world.importPath, file, latin)).toEqual(because(file))
    expect((await world.host.client.send(world.importPath, { form: `${text}=%FF` })).json()).toEqual(because(text))
    expect(await world.changed()).toEqual([])
  })

  test('one file or one text has to be given, and not both', async () => {
    const either = refused('import invitation response', `Give either ${file} or ${text}.`)
    const { client } = world.host
    expect(await client.post(world.importPath)).toEqual(either)
    expect(await client.post(world.importPath, { [file]: '', [text]: '' })).toEqual(either)
    expect(await client.post(world.importPath, { [file]: world.good.text, [text]: world.good.text })).toEqual(either)
    expect(await sendFile(client, world.importPath, file, '')).toEqual(either)
    expect(await sendFile(client, `${world.importPath}?${text}=%7B%7D`, file, world.good.text)).toEqual(either)
    expect(await sendFile(client, world.importPath, 'invitationFile', world.good.text)).toEqual(either)
    expect(await world.changed()).toEqual([])
  })

  test('too large a file is refused with its size', async () => {
    const large = writeResponse(world.invitation, { guestPortalName: 'S'.repeat(40_000) })
    const size = Buffer.byteLength(large)
    expect(await sendFile(world.host.client, world.importPath, file, large)).toEqual(
      refused('import invitation response', `The file has ${size} bytes; at most 65536 are allowed.`),
    )
    expect(await world.changed()).toEqual([])
  })
})
