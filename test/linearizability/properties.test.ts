import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countOf } from '../support/length.ts'
import { explains, isLegalByBruteForce } from './brute-force.ts'
import { check, type Impasse, type Model, type Operation } from './checker.ts'
import { explain } from './explanation.ts'
import { invitation, type RunnableModel, register, schema } from './models.ts'
import { parseInvitation, parseRegister, parseSchema } from './timeline.ts'

const seed = 2018
const runs = countOf({ sample: 300, long: 3_000 })

type Output = string | null

/** An object with its possible calls, each with a right or wrong response. */
interface Object<State, Input extends { readonly operation: string }> {
  readonly model: RunnableModel<State, Input>
  readonly calls: readonly (readonly [Input, Output])[]
}

const ofRegister: Object<string | null, Parameters<typeof register.keyOf>[0]> = {
  model: register,
  calls: 'read -,read 1,read 2,write 1,write 2,cas 1 2,cas 2 1,cas 1 2 no'
    .split(',')
    .map((words) => parseRegister(...words.split(' '))),
}

const ofSchema: Object<string | null, Parameters<typeof schema.keyOf>[0]> = {
  model: schema,
  calls: 'read -,read X,read Y,assign X,assign Y,delete,delete missing,plans assign X,plans delete,plans read X'
    .split(',')
    .map((words) => parseSchema(...words.split(' '))),
}

const ofInvitation: Object<typeof invitation.init, Parameters<typeof invitation.keyOf>[0]> = {
  model: invitation,
  calls: [
    'read created,read accepted,read invalidated,import,invalidate,refresh',
    'import but invalidated,import but refreshed,invalidate but accepted,refresh but accepted,refresh but invalidated',
  ]
    .join()
    .split(',')
    .map((words) => parseInvitation(...words.split(' '))),
}

/** Histories of up to six operations with any answers, some of which happen to fit. */
function smallHistory<State, Input extends { readonly operation: string }>({ calls }: Object<State, Input>) {
  const operation = fc
    .record({
      call: fc.constantFrom(...calls),
      calledAt: fc.nat(12),
      lasts: fc.nat(6),
      isAnswered: fc.nat(4).map((chance) => chance > 0),
    })
    .map(
      ({ call: [input, output], calledAt, lasts, isAnswered }): Operation<Input, Output> => ({
        client: 'A',
        input,
        calledAt,
        answer: isAnswered ? { output, returnedAt: calledAt + lasts } : undefined,
      }),
    )
  return fc.array(operation, { minLength: 2, maxLength: 6 })
}

/** Histories as the object itself makes them: each operation takes effect at some moment, or is lost before or after. */
function trueHistory<State, Input extends { readonly operation: string }>({ model, calls }: Object<State, Input>) {
  const event = fc.record({
    input: fc.constantFrom(...calls.map(([input]) => input)),
    calledAt: fc.nat(200),
    effectAfter: fc.nat(20),
    returnAfter: fc.nat(20),
    fate: fc.constantFrom('answered', 'answered', 'answered', 'answered', 'lost before', 'lost after'),
  })
  return fc.array(event, { maxLength: 60, size: 'max' }).map((events) => {
    const states = new Map<string, State>()
    const inEffect = events.toSorted(
      (one, other) => one.calledAt + one.effectAfter - (other.calledAt + other.effectAfter),
    )
    return inEffect.map(({ input, calledAt, effectAfter, returnAfter, fate }): Operation<Input, Output> => {
      if (fate === 'lost before') return { client: 'A', input, calledAt, answer: undefined }
      const key = model.keyOf(input)
      const [output, next] = model.run(states.get(key) ?? model.init, input)
      states.set(key, next)
      const answer = { output, returnedAt: calledAt + effectAfter + returnAfter }
      return { client: 'A', input, calledAt, answer: fate === 'answered' ? answer : undefined }
    })
  })
}

/** The order of a legal verdict has every answer, and the model gives these answers in this order. */
function expectProof<State, Input, Output>(
  model: Model<State, Input, Output>,
  history: readonly Operation<Input, Output>[],
  orders: ReadonlyMap<string, readonly Operation<Input, Output>[]>,
): void {
  const placed = [...orders.values()].flat()
  expect(new Set(placed).size).toBe(placed.length)
  expect(history.filter((operation) => operation.answer && !placed.includes(operation))).toEqual([])
  for (const order of orders.values()) expect(explains(model, order)).toBe(true)
}

/** The prefix explains all that had returned by the time at which the search was stuck. */
function expectImpasse<State, Input, Output>(
  model: Model<State, Input, Output>,
  history: readonly Operation<Input, Output>[],
  { prefix, stuck }: Impasse<State, Input, Output>,
): void {
  expect(explains(model, prefix)).toBe(true)
  expect(prefix).not.toContain(stuck)
  const returned = history.filter(
    ({ input, answer }) =>
      model.keyOf(input) === model.keyOf(stuck.input) && answer && answer.returnedAt < stuck.answer!.returnedAt,
  )
  expect(returned.filter((operation) => !prefix.includes(operation))).toEqual([])
}

function agrees<State, Input extends { readonly operation: string }>(object: Object<State, Input>): void {
  const seen = { legal: 0, illegal: 0, unknown: 0 }
  fc.assert(
    fc.property(smallHistory(object), (history) => {
      const verdict = check(object.model, history)
      seen[verdict.outcome] += 1
      expect(verdict.outcome).toBe(isLegalByBruteForce(object.model, history) ? 'legal' : 'illegal')
      if (verdict.outcome === 'legal') expectProof(object.model, history, verdict.orders)
      if (verdict.outcome === 'illegal') expectImpasse(object.model, history, verdict)
    }),
    { seed, numRuns: runs },
  )
  expect(seen.legal).toBeGreaterThan(runs / 10)
  expect(seen.illegal).toBeGreaterThan(runs / 10)
}

function accepts<State, Input extends { readonly operation: string }>(object: Object<State, Input>): void {
  fc.assert(
    fc.property(trueHistory(object), (history) => {
      const verdict = check(object.model, history)
      expect(verdict.outcome, explain(verdict)).toBe('legal')
      if (verdict.outcome === 'legal') expectProof(object.model, history, verdict.orders)
    }),
    { seed, numRuns: runs / 6 },
  )
}

describe('the checker says what all orders say, tried one by one', () => {
  test('of a register', () => agrees(ofRegister))
  test('of category schemas', () => agrees(ofSchema))
  test('of an invitation', () => agrees(ofInvitation))
})

describe('the checker accepts whatever an object does that does one operation at a time', () => {
  test('a register', () => accepts(ofRegister))
  test('category schemas', () => accepts(ofSchema))
  test('an invitation', () => accepts(ofInvitation))
})
