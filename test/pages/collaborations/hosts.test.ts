import { expect, test } from 'vitest'
import { findHosts } from '../../../pages/src/collaborations/hosts.ts'

const ids = Array.from({ length: 40 }, (_, index) => `c${index}`)

test('a host that cannot be read takes none of the others away', async () => {
  const find = async (id: string) => {
    if (id === 'c3') throw new Error('It is gone.')
    return id === 'c4' ? undefined : `host of ${id}`
  }
  const hosts = await findHosts(ids, find, new AbortController().signal)
  expect(hosts.size).toBe(38)
  expect(['c2', 'c3', 'c4', 'c39'].map((id) => hosts.get(id))).toEqual([
    'host of c2',
    undefined,
    undefined,
    'host of c39',
  ])
})

test('they are asked for a few at a time, each of them once', async () => {
  const asked: string[] = []
  let running = 0
  let max = 0
  const find = async (id: string) => {
    asked.push(id)
    running += 1
    max = Math.max(max, running)
    await Promise.resolve()
    running -= 1
    return id
  }
  await findHosts(ids, find, new AbortController().signal)
  expect(max).toBe(4)
  expect(asked).toEqual(ids)
})

test('no more is asked for once the screen is left', async () => {
  const asked: string[] = []
  const left = new AbortController()
  const find = async (id: string) => {
    asked.push(id)
    left.abort(new Error('left'))
    return id
  }
  await expect(findHosts(ids, find, left.signal)).rejects.toThrow('left')
  expect(asked).toEqual(['c0'])
})
