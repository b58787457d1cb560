import { describe, expect, test } from 'vitest'
import type { Endpoint } from '../../../src/http/endpoints/endpoint.ts'
import { endpointTable } from '../../../src/http/endpoints/table.ts'
import { formatDirectoryPage } from '../../../src/http/pages/directory-page.ts'
import { limitTable } from '../../../src/limits.ts'
import { pageContent } from '../../support/portal/pages.ts'

/** Rows that have between them every id of a path, and every type of parameter. */
function oneOfEachField(): readonly Endpoint[] {
  const fieldsOf = ({ example, parameters }: Endpoint) => [
    ...Object.keys(example.ids ?? {}),
    ...Object.values(parameters).map(({ type }) => type),
  ]
  const rows = new Map(endpointTable.flatMap((row) => fieldsOf(row).map((field) => [field, row] as const)))
  return [...new Set(rows.values())]
}

describe('a page is about as large for any answer', () => {
  const rowOf = (id: string) => endpointTable.find((row) => row.id === id)!
  const [group] = (rowOf('searchGroups').example.answer as { results: readonly object[] }).results
  const groups = (count: number, description: string) => ({
    total: count,
    start: 1,
    num: count,
    nextStart: -1,
    results: Array.from({ length: count }, (_, at) => ({
      ...group,
      id: `group${at}`,
      title: `Map ${at}`,
      description,
    })),
  })

  test('a longer one is shown in part, and says so', () => {
    const page = formatDirectoryPage(
      pageContent(rowOf('searchGroups'), { answer: { json: groups(3_000, '<'.repeat(10_000)) } }),
    )
    expect(page.length).toBeLessThan(limitTable.answerBytes.min)
    expect(page).toContain('This is the first part; f=json answers all of it.')
    expect(page).not.toContain('Map 2999')
  })

  test('one of usual size is shown whole', () => {
    const page = formatDirectoryPage(
      pageContent(rowOf('searchGroups'), { answer: { json: groups(100, 'Maps of the sea') } }),
    )
    expect(page).toContain('Map 99')
    expect(page).not.toContain('first part')
  })

  test('long ids, long errors and long values of fields are not repeated', () => {
    const long = '<'.repeat(240_000)
    const envelope = { error: { code: 400, message: 'Unable to.', details: Array.from({ length: 100 }, () => long) } }
    const large = oneOfEachField().filter((row) => {
      const ids = Object.fromEntries(Object.keys(row.example.ids ?? {}).map((name) => [name, long]))
      const page = formatDirectoryPage(pageContent(row, { ids, envelope, given: () => long }))
      return page.length >= limitTable.answerBytes.min
    })
    expect(large.map(({ id }) => id)).toEqual([])
  })
})
