import { expect, test } from 'vitest'
import { movesToPublish } from '../../../pages/src/drafts/moves-to-publish.ts'
import { maxMoves } from '../../../src/categories/moves.ts'

const schemaOf = (...titles: readonly string[]) => ({ categorySchema: titles.map((title) => ({ title })) })
const draftOf = (...titles: readonly string[]) => ({
  ...schemaOf(...titles),
  baseVersion: 1,
  origins: titles.map(() => null),
  began: 0,
  saved: 0,
})

test('moves that a draft has made impossible are left out', () => {
  const base = schemaOf('Region', 'Theme', 'Water')
  const moves = [
    { from: '/Theme', to: '/Topic' },
    { from: '/Region', to: '/Gone' },
    { from: '/Water', to: '/Topic' },
  ]
  const kept = [
    { from: '/Theme', to: '/Topic' },
    { from: '/Water', to: '/Topic' },
  ]
  expect(movesToPublish(base, { ...draftOf('Topic'), moves })).toEqual({ all: kept, declared: kept })
})

test('too many moves are all kept: the server says so', () => {
  const moves = Array.from({ length: maxMoves + 1 }, (_, number) => ({ from: `/From ${number}`, to: '/Topic' }))
  const base = schemaOf(...moves.map(({ from }) => from.slice(1)))
  expect(movesToPublish(base, { ...draftOf('Topic'), moves }).all).toEqual(moves)
})
