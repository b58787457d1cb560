import { describe, expect, test } from 'vitest'
import type { FileKind } from '../../src/collaborations/signed-file.ts'
import { openSeal } from '../../src/secrets/sealed.ts'
import { openSigner } from '../../src/secrets/signature.ts'
import { aGoodFile, hostileFiles } from '../support/inputs/hostile-files.ts'
import {
  digestOf,
  invitationNames,
  responseNames,
  signatory,
  writeFile,
  writeHeader,
} from '../support/inputs/signed-files.ts'

const { verify } = openSigner(openSeal('a secret that is long enough for a key'))
const document = { id: '1'.repeat(32), words: 'Straße 🗺 "\\ /\u2028', list: [{ a: 1 }], created: 1_768_478_400_000 }

describe.each([
  { kind: 'an invitation', names: invitationNames },
  { kind: 'a response', names: responseNames },
] as const)('$kind', ({ names }: { names: FileKind }) => {
  const good = aGoodFile(names, document)
  const files = hostileFiles(good)

  test('that another program wrote from the description is verified', async () => {
    const verified = await verify(good.text, names)
    expect(verified).toMatchObject({ document, publicKey: JSON.stringify(good.by.jwk), digest: digestOf(good.text) })
  })

  test.each(files)('$what', async ({ text, why }) => {
    expect(await verify(text, names)).toEqual({ problem: why })
  })

  test('174 files are refused, each in a way of its own', () => {
    expect(files).toHaveLength(174)
    expect(new Set(files.map(({ what }) => what)).size).toBe(files.length)
    expect(new Set(files.map(({ text }) => text)).size).toBe(files.length)
    for (const { text } of files) expect(text).not.toBe(good.text)
  })

  test('the header may be laid out as its writer likes', async () => {
    const { crv, x, kty } = signatory(1).jwk
    const header = JSON.stringify({ jwk: { kty, x, crv }, typ: names.type, alg: 'Ed25519' }, null, 2)
    const text = writeFile(names, document, signatory(1), { header })
    expect(await verify(text, names)).toMatchObject({ document })
  })

  test('the key in the file has one order: another one would be another file with the same signature', async () => {
    const { crv, x, kty } = signatory(1).jwk
    const text = writeFile(names, document, signatory(1), { jwk: { x, crv, kty } })
    expect(await verify(text, names)).toEqual({ problem: 'The key in the file is not a public Ed25519 key.' })
  })

  test('65,536 bytes are read, and not one more', async () => {
    const roomy = (spaces: number, words: string) => {
      const header = writeHeader(names, signatory(1).jwk) + ' '.repeat(spaces)
      return writeFile(names, { words }, signatory(1), { header })
    }
    const sizes = new Map<number, string>()
    for (const words of ['', 'a', 'aa', 'aaa']) {
      const enough = Math.floor(((65_536 - roomy(0, words).length) * 3) / 4)
      for (const more of [-1, 0, 1, 2]) {
        const text = roomy(enough + more, words)
        sizes.set(text.length, text)
      }
    }
    const [max, more] = [sizes.get(65_536)!, sizes.get(65_537)!]
    expect(await verify(max, names)).toMatchObject({ digest: digestOf(max) })
    expect(await verify(more, names)).toEqual({ problem: 'The file has 65537 bytes; at most 65536 are allowed.' })
  })
})
