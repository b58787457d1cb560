import { describe, expect, test } from 'vitest'
import { check } from './checker.ts'
import { explain } from './explanation.ts'
import { invitation, register, schema } from './models.ts'
import { parseInvitation, parseRegister, parseSchema, parseTimeline } from './timeline.ts'

/** Splits drawn histories at the lines that say what each is. */
function rowsOf(text: string): readonly (readonly [heading: string, outcome: string, drawing: string])[] {
  return [...text.matchAll(/^ {2}(legal|illegal): (.*)\n((?: {4}.*\n)*)/gm)].map(
    ([, outcome, sentence, drawing]) => [`${sentence}: ${outcome}`, outcome!, drawing!] as const,
  )
}

const ofRegister = rowsOf(`
  legal: nothing happened
  legal: a read before any write finds nothing
    A [read -]
  illegal: a value that was not written
    A [read 1]
  legal: one client alone
    A [write 1] [read 1] [write 2] [read 2]
  illegal: a read after a write finds what was there before: stale
    A [write 1] [write 2]
    B                     [read 1]
  legal: a read during a write finds what was there before
    A [write 1       ]
    B    [read -]
  legal: a read during a write finds the new value
    A [write 1       ]
    B    [read 1]
  illegal: a read returns before the write of its value is called
    A          [write 1]
    B [read 1]
  legal: two reads during a write, the old value first
    A [write 1               ]
    B   [read -] [read 1]
  illegal: two reads during a write, the new value first
    A [write 1               ]
    B   [read 1] [read -]
  illegal: the same by two clients, one after the other
    A [write 1               ]
    B   [read 1]
    C            [read -]
  legal: the same by two clients at once
    A [write 1               ]
    B   [read 1   ]
    C          [read -]
  legal: of two writes at once the first called wins
    A [write 1 ]
    B  [write 2 ]
    C             [read 1]
  legal: of two writes at once the last called wins
    A [write 1 ]
    B  [write 2 ]
    C             [read 2]
  illegal: two readers see two writes in different orders
    A [write 1                       ]
    B [write 2                       ]
    C    [read 1  ] [read 2  ]
    D      [read 2  ] [read 1  ]
  illegal: the order of writes by two clients is turned round
    A [write 1]
    B           [write 2]
    C                     [read 2] [read 1]
  legal: a return and a call at the same time are in no order
    A [write 1]
    B           [read 1] [write 2]
    C                            [read 1]
  illegal: a call just after a return is after it
    A [write 1]
    B           [read 1] [write 2]
    C                             [read 1]
  legal: an unanswered write took effect
    A [write 1...
    B             [read 1]
  legal: an unanswered write took no effect
    A [write 1...
    B             [read -]
  legal: an unanswered write took effect late
    A [write 1...
    B             [read -] [write 2] [read 2] [read 1]
  illegal: an unanswered write took effect and was gone again
    A [write 1...
    B             [read 1] [read -]
  illegal: an unanswered write took effect before its call
    A          [write 1...
    B [read 1]
  illegal: an unanswered write took effect twice
    A [write 1...
    B             [read 1] [write 2] [read 1]
  legal: two unanswered writes of one value took effect
    A [write 1...
    B [write 1...
    C             [read 1] [write 2] [read 1]
  illegal: a second write of the value was called too late
    A [write 1...
    B                                         [write 1...
    C             [read 1] [write 2] [read 1]
  legal: unanswered operations took effect one upon the other
    A [write 1...
    B [cas 1 2...
    C [cas 2 3...
    D              [read 3]
  illegal: one link of such a chain is missing
    A [write 1...
    C [cas 2 3...
    D              [read 3]
  illegal: an unanswered read explains nothing
    A [read 1...
    B            [read 1]
  illegal: two updates of one value both succeed: one is lost
    A [write 1]
    B           [cas 1 2]
    C            [cas 1 3]
  legal: of two updates of one value one is refused as too late
    A [write 1]
    B           [cas 1 2]
    C            [cas 1 3 no] [read 2]
  illegal: an update is refused although no other was made
    A [write 1] [cas 1 2 no]
`)

const ofSchema = rowsOf(`
  legal: a life
    A [delete missing] [assign X] [read X] [assign Y] [read Y] [delete] [read -] [delete missing]
  illegal: a deletion of nothing succeeds
    A [delete]
  illegal: a deletion finds nothing where something is
    A [assign X] [delete missing] [read X]
  illegal: two deletions at once both succeed
    A [assign X] [delete  ]
    B              [delete  ]
  legal: of two deletions at once one finds nothing
    A [assign X] [delete  ]
    B            [delete missing  ]
  legal: two deletions at once both succeed, with an assignment at the same time
    A [assign X] [delete     ]
    B              [delete     ]
    C                [assign Y]
  illegal: a deletion is seen, then not, then again: half done
    A [assign X] [delete                     ]
    B              [read -] [read X] [read -]
  legal: a deletion is not seen, then seen
    A [assign X] [delete            ]
    B              [read X] [read -]
  illegal: a deletion takes an assignment with it that came after it was seen
    A [assign X] [delete                      ]
    B              [read -] [assign Y]
    C                                    [read Y] [read -]
  illegal: two documents are mixed
    A [assign X  ]
    B [assign Y  ]
    C              [read XY]
  legal: an unanswered deletion was made: the next finds nothing
    A [assign X] [delete...
    B                       [delete missing]
  legal: an unanswered deletion was not made: the next succeeds
    A [assign X] [delete...
    B                       [read X] [delete]
  illegal: an unanswered deletion was made, and the document is back
    A [assign X] [delete...
    B                       [read -] [read X]
  legal: owners know nothing of each other
    A [assign X] [plans read -] [plans assign Y] [read X]
  illegal: what one owner is assigned appears with another
    A [assign X] [plans read X]
  illegal: one owner of two is wrong
    A [assign X] [read X] [delete]
    B [plans assign Y] [plans delete] [plans read Y]
`)

const ofInvitation = rowsOf(`
  legal: invalidated twice, both times with success
    A [read created] [invalidate] [invalidate] [read invalidated]
  legal: no import after an invalidation
    A [invalidate] [import but invalidated] [refresh but invalidated]
  legal: no invalidation after an import
    A [import] [invalidate but accepted] [refresh but accepted]
  illegal: an import after an invalidation
    A [invalidate] [import]
  illegal: a second import
    A [import] [import]
  legal: a response to a file that has been replaced
    A [refresh] [import but refreshed] [invalidate]
  illegal: an import of a response to a file that has been replaced
    A [refresh] [import]
  illegal: a file of an invitation that is no more
    A [invalidate] [refresh]
  illegal: a state that is taken back
    A [import] [read accepted] [read created]
  illegal: invalidation and import at once both succeed: one is lost
    A [invalidate  ]
    B [import      ]
  legal: invalidation and import at once, and one is refused
    A [invalidate but accepted  ]
    B [import      ]              [read accepted]
  illegal: each of them is refused as the second
    A [invalidate but accepted  ]
    B [import but invalidated   ]
  legal: an unanswered import was made
    A [import...
    B            [invalidate but accepted]
  legal: an unanswered import was not made
    A [import...
    B            [read created] [invalidate] [read invalidated]
  illegal: an unanswered invalidation was made for one and not for another
    A [invalidate...
    B                [import but invalidated] [read created]
`)

describe.each([
  ['a register', ofRegister, (drawing: string) => judge(register, parseTimeline(drawing, parseRegister))],
  ['a category schema', ofSchema, (drawing: string) => judge(schema, parseTimeline(drawing, parseSchema))],
  ['an invitation', ofInvitation, (drawing: string) => judge(invitation, parseTimeline(drawing, parseInvitation))],
] as const)('%s', (_name, rows, verdictOn) => {
  test.each(rows)('%s', (_heading, outcome, drawing) => {
    const [found, explanation] = verdictOn(drawing)
    expect(found, explanation).toBe(outcome)
  })
})

function judge<State, Input, Output>(...given: Parameters<typeof check<State, Input, Output>>) {
  const verdict = check(...given)
  return [verdict.outcome, explain(verdict)] as const
}

describe('a verdict', () => {
  test('names the key, what fitted last and what has no place', () => {
    const drawing = `A [assign X] [read X]          [delete] [read X]
                     B [plans assign Y] [plans read Y]`
    const verdict = check(schema, parseTimeline(drawing, parseSchema))
    expect(verdict).toMatchObject({ outcome: 'illegal', key: 'maps', state: null })
    expect(explain(verdict)).toMatch(
      /^The history of "maps" is not linearizable.*"delete","owner":"maps"} → "success"\nIt leaves null, and there was no place for\n {2}A \(\S+ to \S+\): {"operation":"read","owner":"maps"} → "X"$/s,
    )
  })

  test('gives an order for each key where the history is legal', () => {
    const drawing = `A [assign X     ]
                     B   [plans read -]
                     C   [read -]`
    const verdict = check(schema, parseTimeline(drawing, parseSchema))
    const orders = verdict.outcome === 'legal' ? verdict.orders : new Map()
    expect([...orders].map(([key, order]) => [key, order.map(({ client }: { client: string }) => client)])).toEqual([
      ['maps', ['C', 'A']],
      ['plans', ['B']],
    ])
  })

  test('is unknown where the limit ends the search', () => {
    const writes = Array.from({ length: 12 }, (_, value) => `A [write ${value}        ]`)
    const history = parseTimeline([...writes, 'B [read 77   ]'].join('\n'), parseRegister)
    const verdict = check(register, history, 2_000)
    expect(verdict.outcome).toBe('unknown')
    expect(explain(verdict)).toMatch(/^The search gave up at "register": this is no verdict\. The order that holds/)
    expect(check(register, history).outcome).toBe('illegal')
  })

  test('is refused to a history whose times go back', () => {
    const answer = { output: 'ok', returnedAt: 1 }
    const history = [{ client: 'A', input: { operation: 'write', value: '1' }, calledAt: 2, answer } as const]
    expect(() => check(register, history)).toThrow('An operation of A was called at 2 and returned at 1.')
  })
})
