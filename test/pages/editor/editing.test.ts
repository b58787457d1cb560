import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Choosing, choose } from '../../../pages/src/editor/model/choice.ts'
import { countTrees, type Limit, limitNames } from '../../../pages/src/editor/model/counts.ts'
import { Editing, type Outcome } from '../../../pages/src/editor/model/editing.ts'
import { listNodes, makeKeys, readPublished, toCategories } from '../../../pages/src/editor/model/node.ts'
import { draftAfter, openTrees } from '../../../pages/src/editor/model/open-draft.ts'
import { listRows } from '../../../pages/src/editor/model/rows.ts'
import { maxSteps } from '../../../pages/src/editor/model/timeline.ts'
import { portalLimits } from '../../../src/categories/limits.ts'
import type { Category } from '../../../src/categories/schema.ts'
import { countLines, insertLines, type Line, linesOf, moveLines, removeLines, stepLines } from './naive-tree.ts'

const of = (title: string, ...categories: readonly Category[]): Category => ({ title, categories })
const limits = { ...portalLimits, trees: 3, categories: 12 }

function edit(...categories: readonly Category[]): Editing {
  return new Editing(readPublished(categories, makeKeys()), limits)
}

function keyOf(editing: Editing, title: string): string {
  return listNodes(editing.trees).find((node) => node.title === title)!.key
}

/** The tree in one line, as `A(B C(D))`. */
function show(editing: Editing): string {
  const line = (categories: readonly Category[]): string =>
    categories
      .map(({ title, categories = [] }) => (categories.length > 0 ? `${title}(${line(categories)})` : title))
      .join(' ')
  return line(toCategories(editing.trees))
}

describe('edits', () => {
  test('a new category comes beside the selected one or below it, and is selected', () => {
    const editing = edit(of('A', of('B')), of('C'))
    editing.add({ where: 'after', key: keyOf(editing, 'A') }, 'X')
    expect(editing.place?.node.title).toBe('X')
    editing.add({ where: 'inside', key: keyOf(editing, 'A') }, 'Y')
    expect(show(editing)).toBe('A(B Y) X C')
  })

  test('steps lead up, down, under the one above, and behind the parent', () => {
    const editing = edit(of('A', of('B'), of('C'), of('D')))
    const c = keyOf(editing, 'C')
    editing.step(c, 'up')
    expect(show(editing)).toBe('A(C B D)')
    editing.step(c, 'down')
    editing.step(c, 'down')
    expect(show(editing)).toBe('A(B D C)')
    editing.step(c, 'in')
    expect(show(editing)).toBe('A(B D(C))')
    editing.step(c, 'out')
    editing.step(c, 'out')
    expect(show(editing)).toBe('A(B D) C')
    expect(editing.step(c, 'down')).toBe('unchanged')
    expect(editing.step(c, 'out')).toBe('unchanged')
  })

  test('a category never goes into itself or below itself', () => {
    const editing = edit(of('A', of('B')))
    const before = editing.trees
    for (const title of ['A', 'B']) {
      for (const where of ['before', 'after', 'inside'] as const) {
        expect(editing.move(keyOf(editing, 'A'), { where, key: keyOf(editing, title) })).toBe('unchanged')
      }
    }
    expect(editing.trees).toBe(before)
  })

  test('after a deletion the next category is selected, else the one before, else the parent', () => {
    const editing = edit(of('A', of('B'), of('C')))
    editing.select(keyOf(editing, 'B'))
    editing.remove(editing.selected!)
    expect(editing.place?.node.title).toBe('C')
    editing.remove(editing.selected!)
    expect(editing.place?.node.title).toBe('A')
    editing.remove(editing.selected!)
    expect(editing.selected).toBeUndefined()
    editing.add({ where: 'end' }, 'Z')
    expect(show(editing)).toBe('Z')
  })

  test('what is selected elsewhere stays selected when another category is deleted', () => {
    const editing = edit(of('A', of('B')), of('C'))
    editing.select(keyOf(editing, 'C'))
    editing.remove(keyOf(editing, 'A'))
    expect(editing.place?.node.title).toBe('C')
  })

  test('a copy has everything below it, keys of its own, and no origin', () => {
    const editing = edit(of('A', of('B')))
    editing.duplicate(keyOf(editing, 'A'))
    expect(show(editing)).toBe('A(B) A(B)')
    expect(new Set(listNodes(editing.trees).map(({ key }) => key)).size).toBe(4)
    expect(listNodes(editing.trees).map(({ origin }) => origin)).toEqual(['/A', '/A/B', null, null])
  })

  test('typing in one field is one step, until something else is done', () => {
    const editing = edit(of('A'), of('B'))
    const a = keyOf(editing, 'A')
    for (const title of ['Ar', 'Are', 'Area']) editing.change(a, { title })
    editing.change(a, { description: 'All' })
    editing.endTyping()
    editing.change(a, { description: 'All of it' })
    editing.undo()
    expect(editing.place?.node.description).toBe('All')
    editing.undo()
    editing.undo()
    expect(show(editing)).toBe('A B')
    expect(editing.canUndo).toBe(false)
    editing.redo()
    expect(show(editing)).toBe('Area B')
  })

  test('an undone deletion selects what it brings back', () => {
    const editing = edit(of('A', of('B')))
    editing.select(keyOf(editing, 'B'))
    editing.remove(editing.selected!)
    editing.undo()
    expect(editing.place?.node.title).toBe('B')
  })

  test(`${maxSteps} steps are undone, and not one more`, () => {
    const editing = edit(of('0'))
    const key = editing.selected!
    for (let step = 1; step <= maxSteps + 5; step += 1) {
      editing.change(key, { title: String(step) })
      editing.endTyping()
    }
    let undone = 0
    while (editing.undo()) undone += 1
    expect(undone).toBe(maxSteps)
    expect(show(editing)).toBe('5')
  })

  test('what an edit does not touch stays the same object', () => {
    const editing = edit(of('A', of('B'), of('C')), of('D', of('E')))
    const [first, second] = editing.trees
    editing.change(keyOf(editing, 'B'), { title: 'b' })
    expect(editing.trees[1]).toBe(second)
    expect(editing.trees[0]!.below[1]).toBe(first!.below[1])
    expect(editing.change(keyOf(editing, 'D'), { title: 'D' })).toBe('unchanged')
  })

  test('a source and a category without a title are kept', () => {
    const categories: readonly Category[] = [{ title: 'A', source: 'iso', categories: [{ source: 'inspire' }] }]
    const editing = edit(...categories)
    editing.change(editing.selected!, { title: 'B' })
    expect(toCategories(editing.trees)).toEqual([{ ...categories[0], title: 'B' }])
  })
})

describe('merging', () => {
  const originsOf = (editing: Editing) => listNodes(editing.trees).map(({ title, origin }) => [title, origin])

  test('a category goes into another one with all below it, equal titles are merged, and one step undoes it', () => {
    const editing = edit(of('A', of('X', of('Y')), of('Z')), of('B', of('X')))
    expect(editing.merge([keyOf(editing, 'A')], editing.trees[1]!.key, 'whole')).toBe('changed')
    expect(originsOf(editing)).toEqual([
      ['B', ['/B', '/A']],
      ['X', ['/B/X', '/A/X']],
      ['Y', '/A/X/Y'],
      ['Z', '/A/Z'],
    ])
    expect(editing.place?.node.title).toBe('B')
    editing.undo()
    expect(show(editing)).toBe('A(X(Y) Z) B(X)')
  })

  test('a category that gives its items away is gone with all below it', () => {
    const editing = edit(of('A', of('X')), of('B', of('X')))
    editing.merge([keyOf(editing, 'A')], editing.trees[1]!.key, 'items')
    expect(originsOf(editing)).toEqual([
      ['B', ['/B', '/A', '/A/X']],
      ['X', '/B/X'],
    ])
  })

  test('a child merges into its parent, and never a category into what is below it', () => {
    const editing = edit(of('A', of('X', of('Y'))))
    expect(editing.merge([keyOf(editing, 'A')], keyOf(editing, 'X'), 'whole')).toBe('unchanged')
    editing.merge([keyOf(editing, 'X')], keyOf(editing, 'A'), 'whole')
    expect(originsOf(editing)).toEqual([
      ['A', ['/A', '/A/X']],
      ['Y', '/A/X/Y'],
    ])
  })

  test('a merged category is read again from its draft as it was', () => {
    const editing = edit(of('A'), of('B'), of('C'))
    editing.merge([keyOf(editing, 'A'), keyOf(editing, 'C')], keyOf(editing, 'B'), 'whole')
    const published = { categorySchema: [of('A'), of('B'), of('C')], version: 1 }
    const draft = draftAfter(editing.trees, published, undefined, 1)!
    expect(draft.origins).toEqual([['/B', '/A', '/C']])
    expect(originsOf(new Editing(openTrees(published, draft, makeKeys()), limits))).toEqual([['B', ['/B', '/A', '/C']]])
  })
})

describe('several categories together', () => {
  test('are removed as one step, a category below another one of them with it', () => {
    const editing = edit(of('A', of('B'), of('C')), of('D'), of('E'))
    editing.select(keyOf(editing, 'B'))
    editing.remove(keyOf(editing, 'B'), keyOf(editing, 'A'), keyOf(editing, 'D'))
    expect(show(editing)).toBe('E')
    expect(editing.place?.node.title).toBe('E')
    editing.undo()
    expect(show(editing)).toBe('A(B C) D E')
  })

  test('are moved in the order of the tree, and not among themselves', () => {
    const editing = edit(of('A', of('B'), of('C')), of('D', of('E')), of('F'))
    const keys = [keyOf(editing, 'E'), keyOf(editing, 'B')]
    expect(editing.tryMove(keys, { where: 'before', key: keyOf(editing, 'B') })).toBe('unchanged')
    editing.move(keys, { where: 'inside', key: keyOf(editing, 'F') })
    expect(show(editing)).toBe('A(C) D F(B E)')
    expect(editing.move(keys, { where: 'end' })).toEqual({ exceeded: 'trees' })
  })
})

describe('limits', () => {
  const tooMany: Outcome = { exceeded: 'trees' }

  test('refuse one tree, one level, one category more', () => {
    const editing = edit(of('A', of('B', of('C', of('D')))), of('E'), of('F'))
    expect(editing.add({ where: 'end' })).toEqual(tooMany)
    expect(editing.add({ where: 'inside', key: keyOf(editing, 'D') })).toEqual({ exceeded: 'levels' })
    expect(editing.move(keyOf(editing, 'E'), { where: 'inside', key: keyOf(editing, 'D') })).toEqual({
      exceeded: 'levels',
    })
    expect(editing.step(keyOf(editing, 'B'), 'out')).toEqual(tooMany)
    for (let more = 0; more < 6; more += 1) {
      expect(editing.add({ where: 'inside', key: keyOf(editing, 'F') })).toBe('changed')
    }
    expect(editing.add({ where: 'inside', key: keyOf(editing, 'F') })).toEqual({ exceeded: 'categories' })
    expect(editing.duplicate(keyOf(editing, 'D'))).toEqual({ exceeded: 'categories' })
    expect(countTrees(editing.trees)).toEqual({ trees: 3, levels: 4, categories: 12 })
  })

  test('let what exceeds them already be mended step by step', () => {
    const editing = edit(...['A', 'B', 'C', 'D', 'E'].map((title) => of(title)))
    expect(editing.change(keyOf(editing, 'A'), { title: 'a' })).toBe('changed')
    expect(editing.move(keyOf(editing, 'E'), { where: 'inside', key: keyOf(editing, 'a') })).toBe('changed')
    expect(editing.add({ where: 'end' })).toEqual(tooMany)
  })

  test('are given before something is dropped or pasted', () => {
    const editing = edit(of('A', of('B')), of('C'), of('D'))
    const before = editing.trees
    expect(editing.tryMove(keyOf(editing, 'B'), { where: 'end' })).toEqual(tooMany)
    expect(editing.tryMove(keyOf(editing, 'B'), { where: 'inside', key: keyOf(editing, 'C') })).toBe('changed')
    expect(editing.tryPaste([of('X')], 'after')).toEqual(tooMany)
    expect(editing.tryPaste([of('X')], 'inside')).toBe('changed')
    expect(editing.trees).toBe(before)
  })
})

describe('pasting', () => {
  const pasted = [of('A', of('B'), of('X')), of('Y')]

  test.each([
    ['inside', 'A(B A(B X) Y) C'],
    ['after', 'A(B) A(B X) Y C'],
    ['merge', 'A(B X) C Y'],
    ['replace', 'A(B X) Y'],
  ] as const)('%s the selected category', (mode, expected) => {
    const editing = new Editing(readPublished([of('A', of('B')), of('C')], makeKeys()), portalLimits)
    expect(editing.paste(pasted, mode)).toBe('changed')
    expect(show(editing)).toBe(expected)
    editing.undo()
    expect(show(editing)).toBe('A(B) C')
  })

  test('what is merged keeps the keys and origins of what there was', () => {
    const editing = edit(of('A', of('B')), of('C'))
    const keys = new Map(listNodes(editing.trees).map(({ title, key }) => [title, key]))
    editing.paste([{ title: 'A', description: 'All', categories: [of('X')] }], 'merge')
    for (const title of ['A', 'B', 'C']) expect(keyOf(editing, title)).toBe(keys.get(title))
    expect(listNodes(editing.trees).map(({ origin }) => origin)).toEqual(['/A', '/A/B', null, '/C'])
    expect(editing.trees[0]!.description).toBe('All')
    expect(editing.paste([of('A')], 'merge')).toBe('unchanged')
  })
})

describe('any sequence of edits', () => {
  const where = fc.constantFrom('before', 'after', 'inside', 'end')
  const step = fc.record({
    kind: fc.constantFrom('add', 'rename', 'remove', 'move', 'step', 'select'),
    one: fc.nat(),
    other: fc.nat(),
    where,
    step: fc.constantFrom('up', 'down', 'in', 'out'),
    title: fc.constantFrom('a', 'b', 'c', '', ' '),
  })
  const steps = fc.array(step, { maxLength: 40 })

  test('has the outcome that scissors and paste have, and never exceeds a limit', () => {
    fc.assert(
      fc.property(steps, (choices) => {
        const editing = edit(of('A', of('B'), of('C', of('D'))), of('E'))
        let lines: Line[] = linesOf(editing.trees)
        for (const choice of choices) {
          const keys = lines.map(({ key }) => key)
          const one = keys[choice.one % keys.length]
          const other = keys[choice.other % keys.length]
          if (one === undefined || other === undefined) break
          const target = choice.where === 'end' ? { where: choice.where } : { where: choice.where, key: other }
          let outcome: Outcome = 'unchanged'
          let next = lines
          if (choice.kind === 'add') {
            outcome = editing.add(target, choice.title)
            next = insertLines(lines, [{ key: editing.selected!, level: 1, title: choice.title }], target)
          } else if (choice.kind === 'rename') {
            outcome = editing.change(one, { title: choice.title })
            next = lines.map((line) => (line.key === one ? { ...line, title: choice.title } : line))
          } else if (choice.kind === 'remove') {
            outcome = editing.remove(one)
            next = removeLines(lines, one)
          } else if (choice.kind === 'move') {
            outcome = editing.move(one, target)
            next = moveLines(lines, one, target)
          } else if (choice.kind === 'step') {
            outcome = editing.step(one, choice.step)
            next = stepLines(lines, one, choice.step)
          } else editing.select(one)
          if (typeof outcome === 'object') {
            expect(countLines(next)[outcome.exceeded]).toBeGreaterThan(limits[outcome.exceeded])
          } else lines = next
          expect(linesOf(editing.trees)).toEqual(lines)
          const counts = countTrees(editing.trees)
          expect(counts).toEqual(countLines(lines))
          for (const limit of limitNames) expect(counts[limit satisfies Limit]).toBeLessThanOrEqual(limits[limit])
          expect(editing.selected === undefined || lines.some(({ key }) => key === editing.selected)).toBe(true)
        }
      }),
      { numRuns: 100 },
    )
  })

  test('is undone to the start, redone to the end, and undone halfway and changed forgets the rest', () => {
    fc.assert(
      fc.property(steps, fc.nat(), (choices, half) => {
        const editing = edit(of('A', of('B'), of('C', of('D'))), of('E'))
        const start = editing.trees
        const states = [start]
        for (const { kind, one, other, where, step, title } of choices) {
          const keys = listNodes(editing.trees).map(({ key }) => key)
          if (keys.length === 0) break
          const key = keys[one % keys.length]!
          const target = where === 'end' ? { where } : { where, key: keys[other % keys.length]! }
          if (kind === 'add') editing.add(target, title)
          else if (kind === 'rename') editing.change(key, { title })
          else if (kind === 'remove') editing.remove(key)
          else if (kind === 'move') editing.move(key, target)
          else if (kind === 'step') editing.step(key, step)
          else editing.select(key)
          editing.endTyping()
          if (states.at(-1) !== editing.trees) states.push(editing.trees)
        }
        for (let at = states.length - 2; at >= 0; at -= 1) {
          expect(editing.undo()).toBe(true)
          expect(editing.trees).toBe(states[at])
        }
        expect(editing.undo()).toBe(false)
        for (const state of states.slice(1)) {
          expect(editing.redo()).toBe(true)
          expect(editing.trees).toBe(state)
        }
        expect(editing.redo()).toBe(false)
        const back = half % states.length
        for (let undone = 0; undone < back; undone += 1) editing.undo()
        const [first] = listNodes(editing.trees)
        if (!first) return
        editing.change(first.key, { title: 'another' })
        expect(editing.canRedo).toBe(false)
      }),
      { numRuns: 100 },
    )
  })
})

describe('choosing several', () => {
  const rows = listRows(readPublished([of('A', of('B'), of('C')), of('D')], makeKeys()), new Set())
  const keys = new Map(rows.map(({ node }) => [node.title, node.key]))
  const chosen = (present: string, anchor: string, title: string, how: Choosing) => {
    const before = new Set(present.split('').map((one) => keys.get(one)!))
    const after = choose(rows, { chosen: before, anchor: keys.get(anchor) }, keys.get(title)!, how)
    return rows.flatMap(({ node }) => (after.has(node.key) ? [node.title] : [])).join('')
  }

  test('adds and takes out one, but not the last', () => {
    expect(chosen('A', 'A', 'C', 'toggle')).toBe('AC')
    expect(chosen('AC', 'A', 'A', 'toggle')).toBe('C')
    expect(chosen('A', 'A', 'A', 'toggle')).toBe('A')
  })

  test('takes all from the anchor, in either direction, and all that are beside one', () => {
    expect(chosen('AD', 'B', 'D', 'range')).toBe('BCD')
    expect(chosen('D', 'D', 'B', 'range')).toBe('BCD')
    expect(chosen('B', 'B', 'B', 'siblings')).toBe('BC')
  })
})
