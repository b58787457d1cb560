import { createHook } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { openPasswordHash } from '../../src/secrets/password-hash.ts'
import { PasswordsBusy } from '../../src/tokens/password.ts'

const cheap = { memoryCost: 1024, timeCost: 2, parallelism: 1 }
const address = '192.0.2.1'
const client = { address, isKnownAddress: false }
const password = 'correct horse battery staple'

/** Variant, version and costs that a hash states. */
function costsOf(hash: string): readonly string[] {
  const [, variant = '', version = '', costs = ''] = hash.split('$')
  return [variant, version, ...costs.split(',').sort()]
}

test('a password belongs to its hash and to no other', async () => {
  const passwords = openPasswordHash({ cost: cheap })
  const hash = await passwords.hash(password, address)
  expect(await passwords.verify(password, hash, client)).toBe(true)
  for (const wrong of ['', 'Correct horse battery staple', `${password} `, `${password}\u0000`, hash]) {
    expect(await passwords.verify(wrong, hash, client), wrong).toBe(false)
  }
})

test('hashes are argon2id, each with a salt of its own, and say nothing of the password', async () => {
  const passwords = openPasswordHash({ cost: cheap })
  const hashes = await Promise.all([passwords.hash(password, address), passwords.hash(password, address)])
  expect(hashes[0]).not.toBe(hashes[1])
  for (const hash of hashes) {
    expect(costsOf(hash)).toEqual(['argon2id', 'v=19', 'm=1024', 'p=1', 't=2'])
    expect(hash).not.toContain(password)
  }
})

test('by default a hash costs 19 MiB and two rounds', async () => {
  const costs = costsOf(await openPasswordHash().hash(password, address))
  expect(costs).toEqual(['argon2id', 'v=19', 'm=19456', 'p=1', 't=2'])
})

test('a hash of other costs is still verified', async () => {
  const hash = await openPasswordHash({ cost: cheap }).hash(password, address)
  expect(await openPasswordHash({ cost: { ...cheap, timeCost: 3 } }).verify(password, hash, client)).toBe(true)
})

test.each(['', password, 'a password of no user'])('without a hash %j is never right', async (guess) => {
  expect(await openPasswordHash({ cost: cheap }).verify(guess, undefined, client)).toBe(false)
})

test.each(['', 'x'.repeat(1000), '🗺 Straße é', '\u0000\u0001'])('%j is hashed to the letter', async (odd) => {
  const passwords = openPasswordHash({ cost: cheap })
  const hash = await passwords.hash(odd, address)
  expect(await passwords.verify(odd, hash, client)).toBe(true)
  expect(await passwords.verify(`${odd}x`, hash, client)).toBe(false)
})

test('without a hash the work is the same: one hash, at the same costs', async () => {
  const passwords = openPasswordHash({ cost: cheap })
  const hash = await passwords.hash(password, address)
  expect(await passwords.verify('wrong', undefined, client)).toBe(false)
  expect(await countHashes(() => passwords.verify('wrong', undefined, client))).toBe(1)
  expect(await countHashes(() => passwords.verify('wrong', hash, client))).toBe(1)
  const impossible = openPasswordHash({ cost: { ...cheap, memoryCost: 1 } })
  expect(await impossible.verify(password, hash, client)).toBe(true)
  for (const _time of [1, 2]) {
    await expect(impossible.verify(password, undefined, client)).rejects.toThrow('Memory cost is too small')
  }
})

test('a client with one password is served before one with many, whose last are refused', async () => {
  const passwords = openPasswordHash({ cost: cheap, atOnce: 1, maxPerAddress: 8 })
  const hash = await passwords.hash(password, address)
  const done: string[] = []
  const guess = (name: string) =>
    passwords.verify('wrong', hash, { address: name, isKnownAddress: false }).then(() => void done.push(name))
  const guesses = Array.from({ length: 20 }, () => guess('loud'))
  const outcomes = Promise.allSettled(guesses)
  await Promise.all([guess('quiet'), guess('also quiet')])
  // One of the loud client ran before they came, one in the turn before them.
  expect(done.slice(0, 4).toSorted()).toEqual(['also quiet', 'loud', 'loud', 'quiet'])
  const refused = (await outcomes).filter((outcome) => outcome.status === 'rejected')
  expect(refused).toHaveLength(20 - 9)
  for (const { reason } of refused) {
    expect(reason).toMatchObject({ code: 429, limit: 'signInsOfAddress', retryAfterSeconds: 1 })
  }
})

test('an address that the account knows is served before any number that it does not know', async () => {
  const passwords = openPasswordHash({ cost: cheap, atOnce: 1 })
  const hash = await passwords.hash(password, address)
  const done: string[] = []
  const verify = (name: string, isKnownAddress: boolean) =>
    passwords.verify(password, hash, { address: name, isKnownAddress }).then(
      () => done.push(name),
      () => undefined,
    )
  const strangers = Array.from({ length: 40 }, (_, number) => verify(`stranger ${number}`, false))
  await verify('known', true)
  // One ran, and one had its turn, before.
  expect(done.indexOf('known')).toBeLessThanOrEqual(2)
  await Promise.all(strangers)
  expect(done).toContain('stranger 1')
})

test('passwords to be stored wait for their turn, where those to be verified are refused', async () => {
  const passwords = openPasswordHash({ cost: cheap, atOnce: 1, maxPerAddress: 1 })
  const guesses = Array.from({ length: 200 }, (_, number) =>
    passwords.verify('wrong', undefined, { address: `client ${number}`, isKnownAddress: false }),
  )
  const stored = passwords.hash(password, address)
  const outcomes = await Promise.allSettled(guesses)
  expect(outcomes.some((outcome) => outcome.status === 'rejected' && outcome.reason instanceof PasswordsBusy)).toBe(
    true,
  )
  expect(await passwords.verify(password, await stored, client)).toBe(true)
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
