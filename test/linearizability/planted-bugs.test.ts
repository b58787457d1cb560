import { expect, test } from 'vitest'
import { seededRandom } from '../support/inputs/seeded-random.ts'
import { countOf } from '../support/length.ts'
import {
  type Answering,
  cachedSchemas,
  compareAndSet,
  deleteAtOnce,
  deleteByHalves,
  forgetEverywhere,
  forgetHere,
  headedSchemas,
  invitations,
  overwrite,
  type Writing,
} from './broken-objects.ts'
import { check, type Operation, type Verdict } from './checker.ts'
import { explain } from './explanation.ts'
import { History } from './history.ts'
import { type InvitationInput, invitation, type SchemaInput, schema } from './models.ts'
import { Scheduler } from './scheduler.ts'

const seeds = Array.from({ length: countOf({ sample: 8, long: 25 }) }, (_, seed) => seed)
const clients = 8
const operationsOfClient = 60

/** Records the history of an object with eight clients. One answer of a hundred is lost, after the operation was made. */
async function recordHistory<Input>(
  seed: number,
  open: Opening<Input>,
  choose: (random: () => number, serial: number) => Input,
): Promise<readonly Operation<Input, string | null>[]> {
  const random = seededRandom(seed)
  const scheduler = new Scheduler(random)
  const history = new History<Input, string | null>(scheduler.now)
  const ask = open(scheduler.pause)
  let serial = 0
  await scheduler.run(
    Array.from({ length: clients }, (_, client) => async () => {
      for (let count = 0; count < operationsOfClient; count += 1) {
        serial += 1
        const input = choose(random, serial)
        await history.record(`client ${client}`, input, async () => {
          const output = await ask(input, client)
          if (random() < 1 / 100) throw new Error('The answer was lost.')
          return output
        })
      }
    }),
  )
  expect(history.operations).toHaveLength(clients * operationsOfClient)
  expect(history.reasons.get('Error: The answer was lost.')).toBeGreaterThan(0)
  return history.operations
}

/** Every document is another one. Few are assigned: an assignment at the same time would explain a wrong deletion. */
function chooseSchemaInput(random: () => number, serial: number): SchemaInput {
  const owner = random() < 0.5 ? 'maps' : 'plans'
  const chance = random()
  if (chance < 0.45) return { operation: 'read', owner }
  if (chance < 0.85) return { operation: 'delete', owner }
  return { operation: 'assign', owner, document: `document ${serial}` }
}

/** A new invitation every twelve operations, since one has a short life. */
function chooseInvitationInput(random: () => number, serial: number): InvitationInput {
  const chance = random()
  const named = { invitation: `invitation ${Math.floor(serial / 12)}` }
  if (chance < 0.4) return { operation: 'read', ...named }
  if (chance < 0.6) return { operation: 'refresh', ...named }
  return { operation: chance < 0.8 ? 'invalidate' : 'import', ...named }
}

test.each([
  [
    'a cache that a write of another replica does not end',
    ofSchemas((pause) => cachedSchemas(pause, forgetHere)),
    'illegal',
  ],
  ['a cache that every write ends', ofSchemas((pause) => cachedSchemas(pause, forgetEverywhere)), 'legal'],
  ['a deletion in two steps', ofSchemas((pause) => headedSchemas(pause, deleteByHalves)), 'illegal'],
  ['a deletion in one step', ofSchemas((pause) => headedSchemas(pause, deleteAtOnce)), 'legal'],
  ['a change that does not look at what it replaces', ofInvitations(overwrite), 'illegal'],
  ['a change by compare-and-set', ofInvitations(compareAndSet), 'legal'],
] as const)('%s', async (_, judge, outcome) => {
  for (const seed of seeds) {
    const { found, explained } = await judge(seed)
    expect(found, `seed ${seed}: ${explained}`).toBe(outcome)
  }
})

type Opening<Input> = (pause: () => Promise<void>) => Answering<Input>

function ofSchemas(open: Opening<SchemaInput>) {
  return async (seed: number) => told(check(schema, await recordHistory(seed, open, chooseSchemaInput)))
}

function ofInvitations(write: Writing) {
  return async (seed: number) =>
    told(check(invitation, await recordHistory(seed, (pause) => invitations(pause, write), chooseInvitationInput)))
}

function told<State, Input, Output>(verdict: Verdict<State, Input, Output>) {
  return { found: verdict.outcome, explained: explain(verdict) }
}

test('a seed gives the same history again, another seed another', async () => {
  const record = (seed: number) =>
    recordHistory(seed, (pause) => invitations(pause, compareAndSet), chooseInvitationInput)
  expect(await record(1)).toEqual(await record(1))
  expect(await record(1)).not.toEqual(await record(2))
})
