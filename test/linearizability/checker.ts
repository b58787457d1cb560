import { serialize } from 'node:v8'

/**
 * Whether a history of concurrent operations could have come from an object that does one at a time: each operation at
 * one moment between its call and its return (Herlihy and Wing, 1990).
 *
 * The search is that of Wing and Gong (1993): choose what came first among the operations that may have, and take the
 * choice back where it leads nowhere. Lowe (2017) remembers where the search has been, so that no configuration is
 * entered twice, and looks at each key alone, since objects are linearizable together if each of them is.
 */

/** A call of a client, and its response. All times are of one monotonic clock. */
export interface Operation<Input, Output> {
  readonly client: string
  readonly input: Input
  readonly calledAt: number
  /** Undefined where none came: the operation took effect at any time after its call, or never. */
  readonly answer: Answer<Output> | undefined
}

export interface Answer<Output> {
  readonly output: Output
  readonly returnedAt: number
}

/** An object that does one operation at a time. */
export interface Model<State, Input, Output> {
  /** The object that an operation is about; none knows of another. */
  keyOf(input: Input): string
  /** Whether an operation leaves every state as it is. */
  isRead(input: Input): boolean
  readonly init: State
  /**
   * The state that an operation leaves; undefined where the object, in this state, would have answered otherwise.
   * Without an output any answer is possible.
   */
  step(state: State, input: Input, output: Output | undefined): State | undefined
  /** Two states are the same if their texts are. */
  textOf(state: State): string
  /** How inputs may be put for this history, so that those which no answer distinguishes are equal; only saves time. */
  simplify(history: readonly Operation<Input, Output>[]): (input: Input) => Input
}

/** `unknown` is no verdict, and so a failure. */
export type Verdict<State, Input, Output> =
  | { readonly outcome: 'legal'; readonly orders: ReadonlyMap<string, readonly Operation<Input, Output>[]> }
  | Illegal<State, Input, Output>
  | Unknown<State, Input, Output>

/** No order of this key's operations explains all answers. */
export interface Illegal<State, Input, Output> extends Impasse<State, Input, Output> {
  readonly outcome: 'illegal'
  readonly key: string
}

/** The limit ended the search, which had come so far with this key. */
export interface Unknown<State, Input, Output> extends Partial<Impasse<State, Input, Output>> {
  readonly outcome: 'unknown'
  readonly key: string
}

/** The order that explains the answers for the longest time, the state that it leaves, and what has no place after it. */
export interface Impasse<State, Input, Output> {
  readonly prefix: readonly Operation<Input, Output>[]
  readonly state: State
  readonly stuck: Operation<Input, Output>
}

/** Steps after which the search gives up; each may be remembered, in about a hundred bytes. */
const usualSteps = 4_000_000

/** How many steps a key is given before the next has its turn. */
const turn = 1000

/** Searches in all keys by turns, so that one which takes long cannot hide another that is plainly wrong. */
export function check<State, Input, Output>(
  model: Model<State, Input, Output>,
  history: readonly Operation<Input, Output>[],
  maxSteps = usualSteps,
): Verdict<State, Input, Output> {
  for (const operation of history) requireOrderlyTimes(operation)
  let turns = maxSteps / turn

  const orders = new Map<string, readonly Operation<Input, Output>[]>()
  const keys = Map.groupBy(history, ({ input }) => model.keyOf(input))
  const searches = new Map([...keys].map(([key, operations]) => [key, search(model, operations)]))
  while (searches.size > 0) {
    for (const [key, running] of searches) {
      const { done, value } = running.next()
      if (!done) {
        turns -= 1
        if (turns <= 0) return { outcome: 'unknown', key, ...value }
        continue
      }
      if ('stuck' in value) return { outcome: 'illegal', key, ...value }
      orders.set(key, value)
      searches.delete(key)
    }
  }
  return { outcome: 'legal', orders }
}

/** Where the search stands: what it placed last, the state since, and what it has yet to try from here. */
interface Position<State> {
  readonly placed: number
  readonly state: State
  /** The state before, if what was placed last is an unanswered operation. */
  readonly without: State | undefined
  readonly candidates: readonly number[]
  tried: number
}

/** Finds an order that explains the operations of one key, or how far any goes. Pauses after each turn. */
function* search<State, Input, Output>(
  model: Model<State, Input, Output>,
  history: readonly Operation<Input, Output>[],
): Generator<
  Impasse<State, Input, Output> | undefined,
  readonly Operation<Input, Output>[] | Impasse<State, Input, Output>
> {
  const recorded = history.toSorted((one, other) => one.calledAt - other.calledAt)
  const simplify = model.simplify(recorded)
  const operations = recorded.map((operation) => ({ ...operation, input: simplify(operation.input) }))
  const remaining = new Remaining(model, operations)
  const visited = new Set<string>()
  const path: Position<State>[] = []
  let furthest: Impasse<State, Input, Output> | undefined

  const orderOf = () => path.slice(1).map(({ placed }) => recorded[placed]!)
  const numberOf = numberStates(model)

  /** Goes on from a configuration, unless the search has been there. */
  function enter(placed: number, state: State, without: State | undefined): boolean {
    const candidates = remaining.candidates()
    const configuration = `${candidates.join()} ${numberOf(state)}`
    if (visited.has(configuration)) return false
    visited.add(configuration)
    path.push({ placed, state, without, candidates, tried: 0 })
    return true
  }

  /** The state that an operation leaves; undefined where it has no place here, or need not have it. */
  function place({ input, answer }: Operation<Input, Output>, { state, without }: Position<State>): State | undefined {
    const next = model.step(state, input, answer?.output)
    if (next === undefined) return undefined
    const leadsTo = (other: State | undefined) => numberOf(other) === numberOf(next)
    // Unanswered operations are placed only where the next operation needs them: any other order explains as much
    // without them, and is tried from the position before. This keeps the search from trying every subset of them.
    if (answer === undefined && leadsTo(state)) return undefined
    if (without !== undefined && leadsTo(model.step(without, input, answer?.output))) return undefined
    return next
  }

  enter(-1, model.init, undefined)
  for (let steps = 1; remaining.answered > 0; steps += 1) {
    if (steps % turn === 0) yield furthest
    const here = path.at(-1)
    if (!here) return furthest!

    const candidate = here.candidates[here.tried]
    if (candidate === undefined) {
      const stuck = recorded[remaining.firstToReturn()]!
      if (returnOf(stuck) > (furthest ? returnOf(furthest.stuck) : -Infinity)) {
        furthest = { prefix: orderOf(), state: here.state, stuck }
      }
      path.pop()
      if (path.length > 0) remaining.putBack(here.placed)
      continue
    }

    here.tried += 1
    const operation = operations[candidate]!
    const next = place(operation, here)
    if (next === undefined) continue
    // The rest is the same with the read here as with the read later: nothing else has to be tried.
    if (model.isRead(operation.input)) here.tried = here.candidates.length
    remaining.lift(candidate)
    if (!enter(candidate, next, operation.answer ? undefined : here.state)) remaining.putBack(candidate)
  }
  return orderOf()
}

/** The operations that have no place yet, in the order of their calls. */
class Remaining<Input, Output> {
  readonly #operations: readonly Operation<Input, Output>[]
  readonly #isRead: (index: number) => boolean
  /** A ring through all that remain and one place more, its beginning and end (Knuth's dancing links). */
  readonly #next: Int32Array
  readonly #previous: Int32Array
  readonly #twins: ReadonlyMap<number, number>
  readonly #lifted: Uint8Array
  /** How many of them have an answer to explain. */
  answered: number

  constructor(model: Pick<Model<never, Input, Output>, 'isRead'>, operations: readonly Operation<Input, Output>[]) {
    const places = operations.length + 1
    this.#isRead = (index) => model.isRead(operations[index]!.input)
    this.#operations = operations
    this.#next = Int32Array.from({ length: places }, (_, place) => (place + 1) % places)
    this.#previous = Int32Array.from({ length: places }, (_, place) => (place + places - 1) % places)
    this.#twins = findTwins(operations)
    this.#lifted = new Uint8Array(operations.length)
    this.answered = operations.filter(({ answer }) => answer).length
  }

  /**
   * Possible next operations: every one that was called before the first of them returned. Reads come first, those
   * without an answer last. Whatever was called by then and is no candidate has its place, and nothing else has: so
   * the candidates say which operations have been placed, in fewer words than a set of those.
   */
  candidates(): readonly number[] {
    const reads: number[] = []
    const writes: number[] = []
    const unanswered: number[] = []
    for (const index of this.#open()) {
      if (!this.#operations[index]!.answer) unanswered.push(index)
      else if (this.#isRead(index)) reads.push(index)
      else writes.push(index)
    }
    return [...reads, ...writes, ...unanswered.filter((index) => !this.#waitsForTwin(index))]
  }

  /** The operation that the search may not pass without a place for it. */
  firstToReturn(): number {
    const returnedAt = (index: number) => returnOf(this.#operations[index]!)
    return this.#open().reduce((first, other) => (returnedAt(other) < returnedAt(first) ? other : first))
  }

  lift(index: number): void {
    const [before, after] = [this.#previous[index]!, this.#next[index]!]
    this.#next[before] = after
    this.#previous[after] = before
    this.#lifted[index] = 1
    if (this.#operations[index]!.answer) this.answered -= 1
  }

  /** Puts a lifted operation back: the one lifted last first. */
  putBack(index: number): void {
    this.#next[this.#previous[index]!] = index
    this.#previous[this.#next[index]!] = index
    this.#lifted[index] = 0
    if (this.#operations[index]!.answer) this.answered += 1
  }

  #open(): number[] {
    const end = this.#operations.length
    const open: number[] = []
    let horizon = Infinity
    for (let index = this.#next[end]!; index !== end; index = this.#next[index]!) {
      const operation = this.#operations[index]!
      // A call at the very time of a return may have come before it.
      if (operation.calledAt > horizon) break
      horizon = Math.min(horizon, returnOf(operation))
      open.push(index)
    }
    return open
  }

  #waitsForTwin(index: number): boolean {
    const twin = this.#twins.get(index)
    return twin !== undefined && this.#lifted[twin] === 0
  }
}

/** For each unanswered operation the one before that asked for the same. They differ in nothing: the earlier goes first. */
function findTwins(operations: readonly Operation<unknown, unknown>[]): ReadonlyMap<number, number> {
  const latest = new Map<string, number>()
  const twins = new Map<number, number>()
  for (const [index, { input, answer }] of operations.entries()) {
    if (answer) continue
    const text = serialize(input).toString('latin1')
    const twin = latest.get(text)
    if (twin !== undefined) twins.set(index, twin)
    latest.set(text, index)
  }
  return twins
}

/** Never, where no answer came. */
function returnOf({ answer }: Operation<unknown, unknown>): number {
  return answer?.returnedAt ?? Infinity
}

function requireOrderlyTimes(operation: Operation<unknown, unknown>): void {
  const { client, calledAt } = operation
  if (calledAt <= returnOf(operation)) return
  throw new RangeError(`An operation of ${client} was called at ${calledAt} and returned at ${returnOf(operation)}.`)
}

/** Gives each state a number; what is no state has one too. */
function numberStates<State>({ textOf }: Pick<Model<State, never, never>, 'textOf'>): (state?: State) => number {
  const numbers = new Map<string, number>()
  return (state) => {
    if (state === undefined) return -1
    const text = textOf(state)
    const known = numbers.get(text)
    if (known !== undefined) return known
    numbers.set(text, numbers.size)
    return numbers.size - 1
  }
}
