import { describe, expect, test } from 'vitest'
import {
  countCsvRows,
  formatFilter,
  hasMoreThanTheFirst,
  joinCsv,
  parametersOf,
  readFilter,
  toLocal,
  toUtc,
} from '../../../pages/src/log/filter.ts'

const read = (query: string) => readFilter(new URLSearchParams(query))

describe('the filter of the log', () => {
  test('without a query is everything but tokens of apps, the latest first', () => {
    expect(parametersOf(read(''))).toEqual({ all: true, sortOrder: 'desc', without: 'issueTokens' })
    expect(hasMoreThanTheFirst(read(''))).toBe(false)
  })

  test('keeps every field through an address and back', () => {
    const query =
      'q=water&actors=anna&owners=bert&actions=login&id=abc&ips=10.0.0.1&from=2026-11-21T13%3A05%3A00.000Z' +
      '&to=2026-11-22T00%3A00%3A00.000Z&outcome=refused&types=g%2Ci&scope=own&order=asc'
    const again = new URLSearchParams(formatFilter(read(query)))
    expect(readFilter(again)).toEqual(read(query))
    expect(parametersOf(readFilter(again))).toEqual({
      q: 'water',
      actors: 'anna',
      owners: 'bert',
      actions: 'login',
      id: 'abc',
      ips: '10.0.0.1',
      fromDate: '2026-11-21T13:05:00.000Z',
      toDate: '2026-11-22T00:00:00.000Z',
      outcome: 'refused',
      types: 'g,i',
      sortOrder: 'asc',
    })
  })

  test.each(['tokens=true', 'actions=token', 'tokens=true&actions=token'])('%s: tokens are not left out', (query) => {
    expect(parametersOf(read(query))['without']).toBeUndefined()
    expect(Object.values(formatFilter(read(query))).filter(Boolean)).toEqual(
      query
        .split('&')
        .map((part) => part.split('=')[1])
        .reverse(),
    )
  })

  test('ignores what it does not know, and leaves out what is as by default', () => {
    const filter = read('outcome=perhaps&types=g,constructor&scope=x&order=x&other=1')
    expect(filter).toMatchObject({ outcome: '', types: ['g'], scope: 'all', order: 'desc' })
    expect(Object.entries(formatFilter(filter)).filter(([, value]) => value !== '')).toEqual([['types', 'g']])
  })

  test.each(['owners=a', 'id=a', 'ips=a', 'types=u', 'scope=own', 'order=asc', 'actions=login'])(
    'shows that %s is set',
    (query) => {
      expect(hasMoreThanTheFirst(read(query))).toBe(true)
    },
  )

  test('an operation that is chosen by its words is in sight', () => {
    expect(hasMoreThanTheFirst(read('actions=createGroup&tokens=true'))).toBe(false)
  })
})

test('local times are UTC in the address, to the minute', () => {
  const utc = toUtc('2026-11-21T14:05')
  expect(new Date(utc).getMinutes()).toBe(5)
  expect(toLocal(utc)).toBe('2026-11-21T14:05')
  expect([toUtc(''), toUtc('soon'), toLocal('soon'), toLocal('')]).toEqual(['', '', '', ''])
})

test('the parts of an export are one file with one row of columns', () => {
  expect(joinCsv(['\u{feff}a,b\r\n1,2\r\n', '\u{feff}a,b\r\n3,"4\r\n5"\r\n'])).toBe(
    '\u{feff}a,b\r\n1,2\r\n3,"4\r\n5"\r\n',
  )
  expect(countCsvRows('\u{feff}a,b\r\n3,"4\r\n""5"\r\n6,7\r\n')).toBe(2)
  expect([countCsvRows('a,b\r\n'), countCsvRows('')]).toEqual([0, 0])
  expect(joinCsv([])).toBe('\u{feff}')
})
