import type { Answer, Operation } from './checker.ts'

/** Records what clients ask of an object and are answered, for `check`. */
export class History<Input, Output> {
  readonly #now: () => number
  readonly #records: { client: string; input: Input; calledAt: number; answer: Answer<Output> | undefined }[] = []
  readonly #reasons = new Map<string, number>()

  /** The clock never goes back. */
  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /**
   * Asks, and notes when. Whatever `ask` throws means that no answer came: the operation may have taken effect or not.
   * Resolves to the output, `undefined` where there is none.
   */
  async record(client: string, input: Input, ask: () => Promise<Output>): Promise<Output | undefined> {
    const record = { client, input, calledAt: this.#now(), answer: undefined as Answer<Output> | undefined }
    this.#records.push(record)
    try {
      const output = await ask()
      record.answer = { output, returnedAt: this.#now() }
      return output
    } catch (reason) {
      const text = String(reason)
      this.#reasons.set(text, (this.#reasons.get(text) ?? 0) + 1)
      return undefined
    }
  }

  /** All so far, in the order of their calls. What is still on its way has no answer. */
  get operations(): readonly Operation<Input, Output>[] {
    return this.#records.map((record) => ({ ...record }))
  }

  /** Why answers did not come, and how often: a mistake in the test itself shows here. */
  get reasons(): ReadonlyMap<string, number> {
    return this.#reasons
  }
}

/** The text of a response; throws where it does not say what became of the request. */
export async function answerOf(response: Response): Promise<string> {
  const { status } = response
  const text = await response.text()
  if (status === 500 || status === 503) throw new Error(`HTTP ${status}`)
  return text
}
