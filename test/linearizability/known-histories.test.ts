import { describe, expect, test } from 'vitest'
import { check } from './checker.ts'
import { explain } from './explanation.ts'
import { invitation, register, schema } from './models.ts'
import { parseInvitation, parseRegister, parseSchema, parseTimeline } from './timeline.ts'

type Row = readonly [sentence: string, outcome: 'legal' | 'illegal', drawing: string]

const ofRegister: readonly Row[] = [
  ['nothing happened', 'legal', ''],
  ['a read before any write finds nothing', 'legal', 'A [read -]'],
  ['a value that nobody wrote', 'illegal', 'A [read 1]'],
  ['one client alone', 'legal', 'A [write 1] [read 1] [write 2] [read 2]'],
  [
    'a read after a write finds what was there before: stale',
    'illegal',
    `A [write 1] [write 2]
     B                     [read 1]`,
  ],
  [
    'a read during a write finds what was there before',
    'legal',
    `A [write 1       ]
     B    [read -]`,
  ],
  [
    'a read during a write finds the new value',
    'legal',
    `A [write 1       ]
     B    [read 1]`,
  ],
  [
    'a read returns before the write of its value is called',
    'illegal',
    `A          [write 1]
     B [read 1]`,
  ],
  [
    'two reads during a write, the old value first',
    'legal',
    `A [write 1               ]
     B   [read -] [read 1]`,
  ],
  [
    'two reads during a write, the new value first',
    'illegal',
    `A [write 1               ]
     B   [read 1] [read -]`,
  ],
  [
    'the same by two clients, one after the other',
    'illegal',
    `A [write 1               ]
     B   [read 1]
     C            [read -]`,
  ],
  [
    'the same by two clients at once',
    'legal',
    `A [write 1               ]
     B   [read 1   ]
     C          [read -]`,
  ],
  [
    'of two writes at once the first called wins',
    'legal',
    `A [write 1 ]
     B  [write 2 ]
     C             [read 1]`,
  ],
  [
    'of two writes at once the last called wins',
    'legal',
    `A [write 1 ]
     B  [write 2 ]
     C             [read 2]`,
  ],
  [
    'two readers see two writes in different orders',
    'illegal',
    `A [write 1                       ]
     B [write 2                       ]
     C    [read 1  ] [read 2  ]
     D      [read 2  ] [read 1  ]`,
  ],
  [
    'the order of writes by two clients is turned round',
    'illegal',
    `A [write 1]
     B           [write 2]
     C                     [read 2] [read 1]`,
  ],
  [
    'a return and a call at the same time are in no order',
    'legal',
    `A [write 1]
     B           [read 1] [write 2]
     C                            [read 1]`,
  ],
  [
    'a call just after a return is after it',
    'illegal',
    `A [write 1]
     B           [read 1] [write 2]
     C                             [read 1]`,
  ],
  [
    'an unanswered write took effect',
    'legal',
    `A [write 1...
     B             [read 1]`,
  ],
  [
    'an unanswered write took no effect',
    'legal',
    `A [write 1...
     B             [read -]`,
  ],
  [
    'an unanswered write took effect late',
    'legal',
    `A [write 1...
     B             [read -] [write 2] [read 2] [read 1]`,
  ],
  [
    'an unanswered write took effect and was gone again',
    'illegal',
    `A [write 1...
     B             [read 1] [read -]`,
  ],
  [
    'an unanswered write took effect before its call',
    'illegal',
    `A          [write 1...
     B [read 1]`,
  ],
  [
    'an unanswered write took effect twice',
    'illegal',
    `A [write 1...
     B             [read 1] [write 2] [read 1]`,
  ],
  [
    'two unanswered writes of one value took effect',
    'legal',
    `A [write 1...
     B [write 1...
     C             [read 1] [write 2] [read 1]`,
  ],
  [
    'a second write of the value was called too late',
    'illegal',
    `A [write 1...
     B                                         [write 1...
     C             [read 1] [write 2] [read 1]`,
  ],
  [
    'unanswered operations took effect one upon the other',
    'legal',
    `A [write 1...
     B [cas 1 2...
     C [cas 2 3...
     D              [read 3]`,
  ],
  [
    'one link of such a chain is missing',
    'illegal',
    `A [write 1...
     C [cas 2 3...
     D              [read 3]`,
  ],
  [
    'an unanswered read explains nothing',
    'illegal',
    `A [read 1...
     B            [read 1]`,
  ],
  [
    'two updates of one value both succeed: one is lost',
    'illegal',
    `A [write 1]
     B           [cas 1 2]
     C            [cas 1 3]`,
  ],
  [
    'of two updates of one value one is told that it came too late',
    'legal',
    `A [write 1]
     B           [cas 1 2]
     C            [cas 1 3 no] [read 2]`,
  ],
  ['an update is refused although nobody else made one', 'illegal', `A [write 1] [cas 1 2 no]`],
]

const ofSchema: readonly Row[] = [
  ['a life', 'legal', 'A [delete missing] [assign X] [read X] [assign Y] [read Y] [delete] [read -] [delete missing]'],
  ['a deletion of nothing succeeds', 'illegal', 'A [delete]'],
  ['a deletion finds nothing where something is', 'illegal', 'A [assign X] [delete missing] [read X]'],
  [
    'two deletions at once both succeed',
    'illegal',
    `A [assign X] [delete  ]
     B              [delete  ]`,
  ],
  [
    'of two deletions at once one finds nothing',
    'legal',
    `A [assign X] [delete  ]
     B            [delete missing  ]`,
  ],
  [
    'two deletions at once both succeed, with an assignment at the same time',
    'legal',
    `A [assign X] [delete     ]
     B              [delete     ]
     C                [assign Y]`,
  ],
  [
    'a deletion is seen, then not, then again: half done',
    'illegal',
    `A [assign X] [delete                     ]
     B              [read -] [read X] [read -]`,
  ],
  [
    'a deletion is not seen, then seen',
    'legal',
    `A [assign X] [delete            ]
     B              [read X] [read -]`,
  ],
  [
    'a deletion takes an assignment with it that came after it was seen',
    'illegal',
    `A [assign X] [delete                      ]
     B              [read -] [assign Y]
     C                                    [read Y] [read -]`,
  ],
  [
    'two documents are mixed',
    'illegal',
    `A [assign X  ]
     B [assign Y  ]
     C              [read XY]`,
  ],
  [
    'an unanswered deletion was made: the next finds nothing',
    'legal',
    `A [assign X] [delete...
     B                       [delete missing]`,
  ],
  [
    'an unanswered deletion was not made: the next succeeds',
    'legal',
    `A [assign X] [delete...
     B                       [read X] [delete]`,
  ],
  [
    'an unanswered deletion was made, and the document is back',
    'illegal',
    `A [assign X] [delete...
     B                       [read -] [read X]`,
  ],
  ['owners know nothing of each other', 'legal', 'A [assign X] [plans read -] [plans assign Y] [read X]'],
  ['what one owner is assigned appears with another', 'illegal', 'A [assign X] [plans read X]'],
  [
    'one owner of two is wrong',
    'illegal',
    `A [assign X] [read X] [delete]
     B [plans assign Y] [plans delete] [plans read Y]`,
  ],
]

const ofInvitation: readonly Row[] = [
  [
    'invalidated twice, both times with success',
    'legal',
    'A [read created] [invalidate] [invalidate] [read invalidated]',
  ],
  ['no import after an invalidation', 'legal', 'A [invalidate] [import but invalidated] [refresh but invalidated]'],
  ['no invalidation after an import', 'legal', 'A [import] [invalidate but accepted] [refresh but accepted]'],
  ['an import after an invalidation', 'illegal', 'A [invalidate] [import]'],
  ['a second import', 'illegal', 'A [import] [import]'],
  ['a response to a file that has been replaced', 'legal', 'A [refresh] [import but refreshed] [invalidate]'],
  ['an import of a response to a file that has been replaced', 'illegal', 'A [refresh] [import]'],
  ['a file of an invitation that is no more', 'illegal', 'A [invalidate] [refresh]'],
  ['a state that is taken back', 'illegal', 'A [import] [read accepted] [read created]'],
  [
    'invalidation and import at once both succeed: one is lost',
    'illegal',
    `A [invalidate  ]
     B [import      ]`,
  ],
  [
    'invalidation and import at once, and one is told',
    'legal',
    `A [invalidate but accepted  ]
     B [import      ]              [read accepted]`,
  ],
  [
    'each of them is told that the other was first',
    'illegal',
    `A [invalidate but accepted  ]
     B [import but invalidated   ]`,
  ],
  [
    'an unanswered import was made',
    'legal',
    `A [import...
     B            [invalidate but accepted]`,
  ],
  [
    'an unanswered import was not made',
    'legal',
    `A [import...
     B            [read created] [invalidate] [read invalidated]`,
  ],
  [
    'an unanswered invalidation was made for one and not for another',
    'illegal',
    `A [invalidate...
     B                [import but invalidated] [read created]`,
  ],
]

describe('a register', () => {
  test.each(ofRegister)('%s: %s', (_, outcome, drawing) => {
    const verdict = check(register, parseTimeline(drawing, parseRegister))
    expect(verdict.outcome, explain(verdict)).toBe(outcome)
  })
})

describe('a category schema', () => {
  test.each(ofSchema)('%s: %s', (_, outcome, drawing) => {
    const verdict = check(schema, parseTimeline(drawing, parseSchema))
    expect(verdict.outcome, explain(verdict)).toBe(outcome)
  })
})

describe('an invitation', () => {
  test.each(ofInvitation)('%s: %s', (_, outcome, drawing) => {
    const verdict = check(invitation, parseTimeline(drawing, parseInvitation))
    expect(verdict.outcome, explain(verdict)).toBe(outcome)
  })
})

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
