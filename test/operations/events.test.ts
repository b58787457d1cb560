import { describe, expect, test } from 'vitest'
import { causes, silent } from '../../src/operations/events/causes.ts'
import { commands } from '../../src/operations/registry.ts'
import { nouns, operationsOf } from '../../src/webhooks/events.ts'

/** Reported by the server itself, not by an operation. */
const byServer = ['collaborations/invitationExpired', 'collaborations/invitationExpiring']

describe('events', () => {
  test('are caused by each operation that writes, or it is silent for a reason', () => {
    const known = [...Object.keys(causes), ...Object.values(silent).flat()]
    expect(known.toSorted()).toEqual(Object.keys(commands).toSorted())
  })

  test('are each caused by an operation, or by the server itself', () => {
    const caused = Object.values(causes).flatMap(({ names }) => names)
    const all = nouns.flatMap((noun) => operationsOf(noun).map((operation) => `${noun}/${operation}`))
    expect([...new Set(caused), ...byServer].toSorted()).toEqual(all.toSorted())
  })
})
