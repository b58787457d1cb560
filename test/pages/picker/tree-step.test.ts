import { expect, test } from 'vitest'
import { Typing } from '../../../pages/src/elements/typing.ts'
import { listChoices, listVisible } from '../../../pages/src/picker/choices.ts'
import { type Pressed, readTreeKey } from '../../../pages/src/picker/tree-step.ts'

const choices = listChoices({
  categorySchema: [{ title: 'Region', categories: [{ title: 'Europe' }, { title: 'Asia' }] }, { title: 'Theme' }],
})
const rows = listVisible(choices, new Set(['/Region']), '')
const rowOf = (title: string) => rows.find((row) => row.title === title)!

/** Effect of a key on a row; the row that it moves to by its title. */
function press(key: string, title: string, given: Partial<Pressed> = {}) {
  const pressed = {
    rows,
    row: rowOf(title),
    isOpen: title === 'Region',
    isSearching: false,
    isFromTheRight: false,
    typing: new Typing(),
    ...given,
  }
  const step = readTreeKey({ key, timeStamp: 5_000 }, pressed)
  return step?.to ? step.to.title : step
}

test.each([
  ['ArrowDown', 'Asia', 'Theme'],
  ['ArrowDown', 'Theme', 'Theme'],
  ['ArrowUp', 'Region', 'Region'],
  ['Home', 'Asia', 'Region'],
  ['End', 'Asia', 'Theme'],
  ['ArrowRight', 'Region', 'Europe'],
  ['ArrowRight', 'Europe', {}],
  ['ArrowLeft', 'Region', { isOpened: false }],
  ['ArrowLeft', 'Asia', 'Region'],
  ['ArrowLeft', 'Theme', {}],
  ['Enter', 'Asia', { isChosen: true }],
  [' ', 'Asia', { isChosen: true }],
  ['t', 'Region', 'Theme'],
  ['x', 'Region', {}],
  ['Tab', 'Region', undefined],
] as const)('%j on %s leads to %j', (key, title, step) => {
  expect(press(key, title)).toEqual(step)
})

test('a closed branch is opened first', () => {
  expect(press('ArrowRight', 'Region', { isOpen: false })).toEqual({ isOpened: true })
})

test('from the right, left and right are changed', () => {
  expect(press('ArrowLeft', 'Region', { isFromTheRight: true })).toBe('Europe')
  expect(press('ArrowRight', 'Asia', { isFromTheRight: true })).toBe('Region')
})

test('a search closes nothing', () => {
  expect(press('ArrowLeft', 'Region', { isSearching: true })).toEqual({})
})
