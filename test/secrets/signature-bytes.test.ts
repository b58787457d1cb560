import { isUtf8 } from 'node:buffer'
import { expect, test } from 'vitest'
import { type Expected, judgeResponse, readResponse } from '../../src/collaborations/response.ts'
import { responseFile } from '../../src/collaborations/signed-file.ts'
import { openSeal } from '../../src/secrets/sealed.ts'
import { openSigner } from '../../src/secrets/signature.ts'
import { seededRandom } from '../support/inputs/seeded-random.ts'
import { writeResponse } from '../support/inputs/signed-files.ts'
import { countOf } from '../support/length.ts'
import { hostCollaboration } from '../support/portal/collaboration-host.ts'
import { startOfTests, startPortal } from '../support/portal/portal.ts'

const { verify } = openSigner(openSeal('a secret that is long enough for a key'))

/** A response that its host would import, byte by byte, and the host's verdict on any bytes in its place. */
async function openVerdict(): Promise<{ file: Buffer; verdictOn(bytes: Buffer): Promise<string | undefined> }> {
  await using portal = await startPortal()
  const host = await hostCollaboration(portal)
  const issued = await host.invite()
  const invitation = await portal.server.dependencies.storage.read((stores) =>
    stores.collaborations.findInvitation(issued.id),
  )
  const { hostPortalId, collaborationId } = invitation!
  const expected: Expected = { hostPortalId, collaborationId, invitation, isParticipant: false, now: startOfTests }
  return {
    file: Buffer.from(writeResponse(issued)),
    async verdictOn(bytes) {
      if (!isUtf8(bytes)) return 'not UTF-8'
      const verified = await verify(bytes.toString('utf8'), responseFile)
      if ('problem' in verified) return verified.problem
      const response = readResponse(verified)
      if ('problem' in response) return response.problem
      const verdict = judgeResponse(response, expected)
      return 'problem' in verdict ? verdict.problem : undefined
    },
  }
}

function replaced(file: Buffer, at: number, byte: number): Buffer {
  const bytes = Buffer.from(file)
  bytes[at] = byte
  return bytes
}

/** Any byte but the one that stands there. */
function otherByte(byte: number, random: () => number): number {
  return (byte + 1 + Math.floor(random() * 255)) % 256
}

test('as it was written, it imports', async () => {
  const { file, verdictOn } = await openVerdict()
  expect(await verdictOn(file)).toBeUndefined()
  expect(file.length).toBeGreaterThan(1000)
})

test('with another byte at any place, it does not', async () => {
  const { file, verdictOn } = await openVerdict()
  const random = seededRandom(20_260_115)
  const reasons = new Set<string>()
  for (const [at, byte] of file.entries()) {
    const verdict = await verdictOn(replaced(file, at, otherByte(byte, random)))
    expect(verdict, `byte ${at}`).toBeTypeOf('string')
    reasons.add(verdict!)
  }
  expect(reasons.size).toBeGreaterThan(5)
})

test('with one bit flipped at any place, it does not', async () => {
  const { file, verdictOn } = await openVerdict()
  for (const [at, byte] of file.entries()) {
    expect(await verdictOn(replaced(file, at, byte ^ (1 << (at % 8)))), `byte ${at}`).toBeTypeOf('string')
  }
})

test('nor with any byte at a place by chance', async () => {
  const { file, verdictOn } = await openVerdict()
  const random = seededRandom(42)
  for (let time = 0; time < countOf({ sample: 100, system: 10_000, long: 10_000 }); time += 1) {
    const at = Math.floor(random() * file.length)
    const byte = otherByte(file[at]!, random)
    expect(await verdictOn(replaced(file, at, byte)), `byte ${at} as ${byte}`).toBeTypeOf('string')
  }
})

test('without any one of its bytes, it does not', async () => {
  const { file, verdictOn } = await openVerdict()
  for (let at = 0; at < file.length; at += 1) {
    const bytes = Buffer.concat([file.subarray(0, at), file.subarray(at + 1)])
    expect(await verdictOn(bytes), `without byte ${at}`).toBeTypeOf('string')
  }
})

test('with one byte more at any place, it does not', async () => {
  const { file, verdictOn } = await openVerdict()
  const random = seededRandom(7)
  for (let at = 0; at <= file.length; at += 1) {
    const printable = 0x20 + Math.floor(random() * 95)
    for (const byte of [printable, file[at] ?? 0x0a]) {
      const bytes = Buffer.concat([file.subarray(0, at), Buffer.of(byte), file.subarray(at)])
      expect(await verdictOn(bytes), `byte ${byte} before ${at}`).toBeTypeOf('string')
    }
  }
})
