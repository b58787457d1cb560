import naughtyStrings from 'big-list-of-naughty-strings/blns.json' with { type: 'json' }
import { groupLimits, portalLimits } from '../../../../src/categories/limits.ts'
import { judgeSchema } from '../../../../src/categories/schema.ts'
import { titleSentences } from '../../../support/inputs/schema-oracle.ts'
import { aSchema } from '../../../support/portal/schema-builder.ts'
import { openHolder } from '../../../support/portal/schema-holder.ts'
import { expect, test } from '../../../support/portal/test.ts'

const owners = [
  ['a group', groupLimits],
  ['an organization', portalLimits],
] as const

/** Number of strings that fit into one schema, below one root. */
const maxPerSchema = 199

/** Size of a schema with one category. */
const size = { trees: 1, categories: 1 }

test('the list is complete', () => {
  expect(naughtyStrings.length).toBeGreaterThanOrEqual(461)
})

test.each(owners)('every naughty string is a title for %s, or breaks a rule of titles', (_owner, limits) => {
  const seen = { accepted: 0, refused: 0 }
  for (const title of naughtyStrings) {
    const document = JSON.stringify(aSchema({ title }))
    const violations = titleSentences(title, limits).map((sentence) => `Title at /categorySchema/0/title ${sentence}`)
    const isAccepted = violations.length === 0
    seen[isAccepted ? 'accepted' : 'refused'] += 1
    expect(judgeSchema(document, limits)).toEqual(isAccepted ? { document, size } : { violations })
  }
  expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(100)
})

test.each(owners)('every naughty string is a description for %s, until it is too long', (_owner, limits) => {
  const max = limits.descriptionLength
  for (const text of naughtyStrings) {
    expect(text.length).toBeLessThanOrEqual(max)
    const document = JSON.stringify(aSchema({ title: 'A', description: text }))
    expect(judgeSchema(document, limits)).toEqual({ document, size })
    if (text === '') continue
    const description = text.repeat(Math.ceil((max + 1) / text.length))
    const place = 'Description at /categorySchema/0/description'
    const sentence = `${place} has ${description.length} characters; at most ${max} are allowed.`
    expect(judgeSchema(JSON.stringify(aSchema({ title: 'A', description })), limits)).toEqual({
      violations: [sentence],
    })
  }
})

test('what is accepted is read as it was sent, by title and by description', async ({ portal }) => {
  const holder = await openHolder(portal, 'group')
  const titles = naughtyStrings.filter((title) => titleSentences(title, groupLimits).length === 0)
  const nodes = [
    ...titles.map((title) => ({ title })),
    ...naughtyStrings.map((description) => ({ title: 'A', description })),
  ]
  for (let at = 0; at < nodes.length; at += maxPerSchema) {
    const schema = aSchema({ title: 'Root', categories: nodes.slice(at, at + maxPerSchema) })
    expect(await holder.assign(schema)).toEqual({ success: true })
    expect(await holder.readText()).toBe(JSON.stringify(schema))
  }
})
