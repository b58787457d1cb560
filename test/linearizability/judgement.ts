import { expect } from 'vitest'
import { check, type Model } from './checker.ts'
import type { Histories } from './crowd.ts'
import { explain } from './explanation.ts'
import type { History } from './history.ts'
import { invitation, item, schema } from './models.ts'

const everything: readonly string[] = [
  'assign success',
  'delete success',
  'delete missing',
  'read document',
  'read none',
  'read host_created',
  'read host_accepted',
  'read host_invalidated',
  'invalidate success',
  'invalidate Invitation has already been accepted.',
  'import success',
  'import Invitation has already been accepted.',
  'import Invitation has been invalidated.',
  'import The response is for another file than the one that the invitation has now.',
  'refresh file',
  'refresh Invitation has already been accepted.',
  'refresh Invitation has been invalidated.',
  'update success',
  'search found',
  'search missing',
  'search tag',
]

/** Outcomes of the rounds of a test. */
export class Judgement {
  readonly #excuses: RegExp | undefined
  readonly #outcomes = new Map<string, number>()
  operations = 0
  unanswered = 0

  /** Takes the reasons for which an operation may have no answer. */
  constructor(excuses?: RegExp) {
    this.#excuses = excuses
  }

  /** Requires that what the clients saw is as if one of them did one thing after another. */
  judge({ schemas, invitations, items }: Histories, place: string): void {
    this.#judge(schema, schemas, place)
    this.#judge(invitation, invitations, place)
    this.#judge(item, items, place)
  }

  /** Requires that every outcome that the models distinguish was seen at least that often. */
  requireVariety(min: number): void {
    const rare = everything.filter((outcome) => (this.#outcomes.get(outcome) ?? 0) < min)
    expect(rare, `seen less than ${min} times, of ${JSON.stringify([...this.#outcomes])}`).toEqual([])
  }

  get figures(): string {
    return `${this.operations} operations, ${this.unanswered} of them without an answer`
  }

  #judge<State, Input extends { readonly operation: string }>(
    model: Model<State, Input, string | null>,
    { operations, reasons }: History<Input, string | null>,
    place: string,
  ): void {
    const inexcusable = [...reasons].filter(([reason]) => !this.#excuses?.test(reason))
    expect(inexcusable, `${place}: why answers did not come`).toEqual([])
    const verdict = check(model, operations)
    expect(verdict.outcome, `${place}: ${explain(verdict)}`).toBe('legal')
    for (const { input, answer } of operations) {
      this.operations += 1
      if (!answer) this.unanswered += 1
      const outcome = answer
        ? `${input.operation} ${nameOf(input.operation, answer.output)}`
        : `${input.operation} unanswered`
      this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1)
    }
  }
}

/** Documents and tags are many, and are all the same here. */
function nameOf(operation: string, output: string | null): string {
  if (output === null) return 'none'
  if (output.startsWith('{')) return 'document'
  return operation === 'search' && !['found', 'missing'].includes(output) ? 'tag' : output
}
