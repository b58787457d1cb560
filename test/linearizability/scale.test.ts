import { expect, test } from 'vitest'
import { seededRandom } from '../support/inputs/seeded-random.ts'
import { countOf } from '../support/length.ts'
import { check, type Operation } from './checker.ts'
import { explain } from './explanation.ts'
import { register, type SchemaInput, schema } from './models.ts'
import { parseRegister, parseSchema, parseTimeline } from './timeline.ts'

interface Size {
  readonly operations: number
  readonly owners: number
  readonly clients: number
  /** How many of a hundred operations are not answered. */
  readonly lost: number
}

const many = countOf({ sample: 5_000, long: 20_000 })

const sizes: readonly Size[] = [
  { operations: 2_000, owners: 10, clients: 16, lost: 1 },
  { operations: many, owners: 50, clients: 16, lost: 3 },
  { operations: many, owners: 10, clients: 16, lost: 1 },
]

type SchemaOperation = Operation<SchemaInput, string | null>

/** Clients of a right object, each waiting for its answer before it asks again; every operation takes a while. */
function recordHistory({ operations, owners, clients, lost }: Size): SchemaOperation[] {
  const random = seededRandom(operations + owners)
  const free = Array.from({ length: clients }, () => random())
  const planned = Array.from({ length: operations }, (_, serial) => {
    const client = free.indexOf(Math.min(...free))
    const calledAt = free[client]! + random()
    const inEffectAt = calledAt + random() * 10
    const returnedAt = inEffectAt + random() * 10
    free[client] = returnedAt
    return { client: `client ${client}`, input: chooseInput(random, owners, serial), calledAt, inEffectAt, returnedAt }
  })

  const documents = new Map<string, string | null>()
  return planned
    .toSorted((one, other) => one.inEffectAt - other.inEffectAt)
    .map(({ client, input, calledAt, returnedAt }): SchemaOperation => {
      const fate = random() * 100
      if (fate < lost / 2) return { client, input, calledAt, answer: undefined }
      const [output, next] = schema.run(documents.get(input.owner) ?? null, input)
      documents.set(input.owner, next)
      return { client, input, calledAt, answer: fate < lost ? undefined : { output, returnedAt } }
    })
}

function chooseInput(random: () => number, owners: number, serial: number): SchemaInput {
  const owner = `group ${Math.floor(random() * owners)}`
  const chance = random()
  if (chance < 0.5) return { operation: 'read', owner }
  if (chance < 0.6) return { operation: 'delete', owner }
  return { operation: 'assign', owner, document: `document ${serial}` }
}

/** A history in which one late read finds a schema that was assigned long before. */
function makeStale(history: readonly SchemaOperation[]): readonly SchemaOperation[] {
  const isRead = ({ input, answer }: SchemaOperation) =>
    input.operation === 'read' && typeof answer?.output === 'string'
  const early = history.find(isRead)!
  const late = history.findLastIndex((operation) => isRead(operation) && operation.input.owner === early.input.owner)
  const { answer } = history[late]!
  return history.with(late, { ...history[late]!, answer: { ...answer!, output: early.answer!.output } })
}

/** Approximate number of steps that the largest history takes. */
const maxSteps = 400_000

test.each(sizes)('$operations operations of $clients clients on $owners schemas are judged in few steps', (size) => {
  const history = recordHistory(size)
  const verdict = check(schema, history, maxSteps)
  expect(verdict.outcome, explain(verdict)).toBe('legal')
  expect(check(schema, makeStale(history), maxSteps).outcome).toBe('illegal')
})

/** Many writes that were never answered; then one client alone, and what it reads at the end is not what it wrote. */
function wrongAtTheEnd(lost: readonly string[], alone: readonly string[]) {
  const silent = lost.map((words) => `A [${words}...`)
  return [...silent, `B ${' '.repeat(40)}${alone.map((words) => `[${words}]`).join(' ')}`].join('\n')
}

test('unanswered operations take few steps where nothing needs them', () => {
  const lost = Array.from({ length: 60 }, (_, value) => `write ${value}`)
  const alone = Array.from({ length: 60 }, (_, value) => [`write own${value}`, `read own${value}`]).flat()
  const history = parseTimeline(wrongAtTheEnd(lost, [...alone, 'read own1']), parseRegister)
  expect(check(register, history, maxSteps).outcome).toBe('illegal')
})

test('unanswered operations that ask for the same take the steps of one', () => {
  const lost = Array.from({ length: 60 }, () => 'delete')
  const alone = Array.from({ length: 30 }, (_, value) => [`assign own${value}`, 'read -']).flat()
  const history = parseTimeline(wrongAtTheEnd(lost, [...alone, 'read own1']), parseSchema)
  expect(check(schema, history, maxSteps).outcome).toBe('illegal')
})
