import naughtyStrings from 'big-list-of-naughty-strings/blns.json' with { type: 'json' }
import { startPortal } from '../../../support/portal/portal.ts'
import { expect, test } from '../../../support/portal/test.ts'

/** Directions, joiners, marks without a letter, halves of pairs, and what has a meaning in the language of queries. */
const strangeStrings = [
  ...naughtyStrings,
  '\u202eזבל\u202c',
  '\u2066abc\u2069\u200b\u200d\ufeff',
  '\u0301\u0301\u0301',
  '\ud800',
  '\udc00x',
  '('.repeat(10_240),
  '"'.repeat(1_024),
  '(title:a) '.repeat(1_024),
  Array.from({ length: 1_024 }, (_, at) => `w${at}`).join(' OR '),
  '-'.repeat(1_024),
]

test('every strange string is a query or is refused by the name of its parameter', async ({ admin }) => {
  await admin.post('/content/users/admin/addItem', { title: 'Lakes', type: 'Web Map' })
  const seen = { found: 0, refused: 0 }
  for (const q of strangeStrings) {
    const answer = await admin.post('/search', { q })
    if (Array.isArray(answer.results)) {
      seen.found += 1
      expect(answer.query).toBe(q.toWellFormed())
      continue
    }
    seen.refused += 1
    expect(answer.error).toMatchObject({ code: 400 })
    expect(answer.error.details[0]).toMatch(/^q: /)
  }
  expect(Math.min(seen.found, seen.refused)).toBeGreaterThan(4)
})

const fields = ['title', 'type', 'tags', 'typeKeywords', 'snippet', 'description', 'documentation', 'url'] as const
const furtherFields = ['accessInformation', 'licenseInfo', 'culture', 'spatialReference', 'text', 'categories'] as const

test('every strange string is kept in an item whole or refused by the field, and nothing is stored in half', async () => {
  await using portal = await startPortal()
  const admin = await portal.admin()
  const seen = { added: 0, refused: 0 }
  for (const text of strangeStrings) {
    // A form has no halves of pairs.
    const sent = text.toWellFormed()
    const given = Object.fromEntries([...fields, ...furtherFields].map((name) => [name, text]))
    const answer = await admin.post('/content/users/admin/addItem', given)
    if (answer.success) {
      seen.added += 1
      const { title, snippet } = await admin.get(`/content/items/${answer.id}`)
      expect({ title, snippet: snippet ?? '' }).toEqual({ title: sent, snippet: sent })
      continue
    }
    seen.refused += 1
    expect(answer.error).toMatchObject({ code: 400, message: 'Unable to add item.' })
    for (const detail of answer.error.details) expect(detail).toMatch(/^[a-zA-Z]+: /)
  }
  expect(await admin.get('/content/users/admin', { num: 0 })).toMatchObject({ total: seen.added })
  expect(await admin.get('/search', { q: 'owner:admin', num: 0 })).toMatchObject({ total: seen.added })
  expect(Math.min(seen.added, seen.refused)).toBeGreaterThan(4)
})
