import { createHook } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { openPasswordHash } from '../../src/secrets/password-hash.ts'

const cheap = { memoryCost: 1024, timeCost: 2, parallelism: 1 }
const password = 'correct horse battery staple'

/** What a hash says of how it was made. */
function costsOf(hash: string): readonly string[] {
  const [, variant = '', version = '', costs = ''] = hash.split('$')
  return [variant, version, ...costs.split(',').sort()]
}

test('a password belongs to its hash and to no other', async () => {
  const passwords = openPasswordHash(cheap)
  const hash = await passwords.hash(password)
  expect(await passwords.verify(password, hash)).toBe(true)
  for (const wrong of ['', 'Correct horse battery staple', `${password} `, `${password}\u0000`, hash]) {
    expect(await passwords.verify(wrong, hash), wrong).toBe(false)
  }
})

test('hashes are argon2id, each with a salt of its own, and say nothing of the password', async () => {
  const passwords = openPasswordHash(cheap)
  const hashes = await Promise.all([passwords.hash(password), passwords.hash(password)])
  expect(hashes[0]).not.toBe(hashes[1])
  for (const hash of hashes) {
    expect(costsOf(hash)).toEqual(['argon2id', 'v=19', 'm=1024', 'p=1', 't=2'])
    expect(hash).not.toContain(password)
  }
})

test('by default a hash costs 19 MiB and two rounds', async () => {
  const costs = costsOf(await openPasswordHash().hash(password))
  expect(costs).toEqual(['argon2id', 'v=19', 'm=19456', 'p=1', 't=2'])
})

test('a hash of other costs is still verified', async () => {
  const hash = await openPasswordHash(cheap).hash(password)
  expect(await openPasswordHash({ ...cheap, timeCost: 3 }).verify(password, hash)).toBe(true)
})

test.each(['', password, 'a password of no user'])('without a hash %j is never right', async (guess) => {
  expect(await openPasswordHash(cheap).verify(guess, undefined)).toBe(false)
})

test.each(['', 'x'.repeat(1000), '🗺 Straße é', '\u0000\u0001'])('%j is hashed to the letter', async (odd) => {
  const passwords = openPasswordHash(cheap)
  const hash = await passwords.hash(odd)
  expect(await passwords.verify(odd, hash)).toBe(true)
  expect(await passwords.verify(`${odd}x`, hash)).toBe(false)
})

test('without a hash the work is the same: one hash, at the same costs', async () => {
  const passwords = openPasswordHash(cheap)
  const hash = await passwords.hash(password)
  expect(await passwords.verify('wrong', undefined)).toBe(false)
  expect(await countHashes(() => passwords.verify('wrong', undefined))).toBe(1)
  expect(await countHashes(() => passwords.verify('wrong', hash))).toBe(1)
  const impossible = openPasswordHash({ ...cheap, memoryCost: 1 })
  expect(await impossible.verify(password, hash)).toBe(true)
  for (const _time of [1, 2]) {
    await expect(impossible.verify(password, undefined)).rejects.toThrow('Memory cost is too small')
  }
})

/** How often the thread pool was asked to hash. */
async function countHashes(work: () => Promise<unknown>): Promise<number> {
  let hashes = 0
  const hook = createHook({
    init(_id, type) {
      if (type === 'argon2:HashWorker') hashes += 1
    },
  }).enable()
  try {
    await work()
  } finally {
    hook.disable()
  }
  return hashes
}
