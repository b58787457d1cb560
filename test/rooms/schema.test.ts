import { describe, expect, test } from 'vitest'
import { groupLimits, portalLimits } from '../../src/categories/limits.ts'
import { judgeSchema } from '../../src/categories/schema.ts'
import {
  anAstralText,
  aSchema,
  aSchemaOfCategories,
  aSchemaOfLevels,
  aSchemaOfTrees,
  aText,
} from '../support/portal/schema-builder.ts'

const owners = [
  { owner: 'a group', limits: groupLimits },
  { owner: 'an organization', limits: portalLimits },
]

const accepted: readonly string[] = []

/** Violations of a schema; none where it is accepted. */
function sentences(schema: unknown, limits = groupLimits): readonly string[] {
  const verdict = judgeSchema(JSON.stringify(schema), limits)
  return 'violations' in verdict ? verdict.violations : accepted
}

describe.each(owners)('the structure of the schema of $owner', ({ limits }) => {
  const outOfBounds = ['Category schema exceeds max tree size or empty.']
  const tooDeep = [
    'Category at /categorySchema/0/categories/0/categories/0/categories/0/categories/0 is on level 5; at most 4 levels are allowed.',
  ]
  const tooMany = (total: number) => [
    `Category schema at /categorySchema has ${total} categories; at most 200 are allowed.`,
  ]
  test.each([
    { rule: 'an empty schema is refused', schema: aSchema(), says: outOfBounds },
    { rule: 'one tree is accepted', schema: aSchemaOfTrees(1), says: accepted },
    { rule: 'five trees are accepted', schema: aSchemaOfTrees(5), says: accepted },
    { rule: 'six trees are refused', schema: aSchemaOfTrees(6), says: outOfBounds },
    {
      rule: 'six trees are refused with that one entry, whatever else is wrong',
      schema: aSchema(...Array(6).fill({ title: '/' })),
      says: outOfBounds,
    },
    { rule: 'four levels are accepted, counting the root', schema: aSchemaOfLevels(4), says: accepted },
    { rule: 'five levels are refused', schema: aSchemaOfLevels(5), says: tooDeep },
    {
      rule: 'an empty list of children adds no level',
      schema: JSON.parse(JSON.stringify(aSchemaOfLevels(4)).replace('"Level 4"', '"Level 4","categories":[]')),
      says: accepted,
    },
    {
      rule: 'nodes below the fifth level are reported by their ancestor on it',
      schema: aSchemaOfLevels(50),
      says: tooDeep,
    },
    { rule: 'a source of 1000 characters is accepted', schema: aSchema({ source: 's'.repeat(1000) }), says: accepted },
    {
      rule: 'a source of 1001 characters is refused',
      schema: aSchema({ source: 's'.repeat(1001) }),
      says: ['Source at /categorySchema/0/source has 1001 characters; at most 1000 are allowed.'],
    },
    { rule: '200 categories are accepted, roots counted', schema: aSchemaOfCategories(200), says: accepted },
    { rule: '201 categories are refused, roots counted', schema: aSchemaOfCategories(201), says: tooMany(201) },
    {
      rule: '200 categories in one tree are accepted',
      schema: aSchema({
        title: 'Root',
        categories: Array.from({ length: 199 }, (_, index) => ({ title: `${index}` })),
      }),
      says: accepted,
    },
    {
      rule: '201 categories in one tree are refused',
      schema: aSchema({
        title: 'Root',
        categories: Array.from({ length: 200 }, (_, index) => ({ title: `${index}` })),
      }),
      says: tooMany(201),
    },
    {
      rule: 'categories below the fourth level count too',
      schema: aSchemaOfLevels(201),
      says: [...tooMany(201), ...tooDeep],
    },
    {
      rule: 'siblings may have the same title',
      schema: aSchema({ title: 'A' }, { title: 'A', categories: [{ title: 'A' }, { title: 'A' }] }),
      says: accepted,
    },
  ])('$rule', ({ schema, says }) => {
    expect(sentences(schema, limits)).toEqual(says)
  })
})

describe('the length of a title', () => {
  test.each([
    { owner: 'a group', limits: groupLimits, max: 99 },
    { owner: 'an organization', limits: portalLimits, max: 100 },
  ])('$owner takes up to $most UTF-16 code units', ({ limits, max }) => {
    const says = [`Title at /categorySchema/0/title has ${max + 1} characters; at most ${max} are allowed.`]
    expect(sentences(aSchema({ title: aText(max) }), limits)).toEqual(accepted)
    expect(sentences(aSchema({ title: aText(max + 1) }), limits)).toEqual(says)
  })

  test.each([
    { emoji: 49, owner: 'a group', limits: groupLimits, says: accepted },
    {
      emoji: 50,
      owner: 'a group',
      limits: groupLimits,
      says: ['Title at /categorySchema/0/title has 100 characters; at most 99 are allowed.'],
    },
    { emoji: 50, owner: 'an organization', limits: portalLimits, says: accepted },
    {
      emoji: 51,
      owner: 'an organization',
      limits: portalLimits,
      says: ['Title at /categorySchema/0/title has 102 characters; at most 100 are allowed.'],
    },
  ])('$emoji emoji are two units each for $owner', ({ emoji, limits, says }) => {
    expect(sentences(aSchema({ title: anAstralText(emoji * 2) }), limits)).toEqual(says)
  })

  test('combining marks count one by one', () => {
    expect(sentences(aSchema({ title: 'a\u0301'.repeat(50) }))[0]).toContain('has 100 characters')
    expect(sentences(aSchema({ title: 'á'.repeat(99) }))).toEqual(accepted)
  })

  test.each([2, 3, 4])('a title on level %i is measured like a root', (level) => {
    const schema = JSON.stringify(aSchemaOfLevels(4)).replace(`Level ${level}`, aText(100))
    const pointer = `/categorySchema/0${'/categories/0'.repeat(level - 1)}/title`
    expect(sentences(JSON.parse(schema))).toEqual([`Title at ${pointer} has 100 characters; at most 99 are allowed.`])
  })
})

describe('the length of a description', () => {
  test.each([
    { owner: 'a group', limits: groupLimits, max: 299 },
    { owner: 'an organization', limits: portalLimits, max: 300 },
  ])('$owner takes up to $most UTF-16 code units', ({ limits, max }) => {
    const place = 'Description at /categorySchema/0/description'
    const says = [`${place} has ${max + 1} characters; at most ${max} are allowed.`]
    expect(sentences(aSchema({ title: 'A', description: aText(max) }), limits)).toEqual(accepted)
    expect(sentences(aSchema({ title: 'A', description: aText(max + 1) }), limits)).toEqual(says)
  })

  test('150 emoji are 300 units: too many for a group, not for an organization', () => {
    const schema = aSchema({ title: 'A', description: anAstralText(300) })
    expect(sentences(schema, groupLimits)[0]).toContain('has 300 characters; at most 299 are allowed.')
    expect(sentences(schema, portalLimits)).toEqual(accepted)
  })

  test('a description may be empty, and hold what a title may not', () => {
    for (const description of ['', '  ', 'a/b, c', 'line\none\ttab', '\u0000', '\ud800', '\u0085']) {
      expect(sentences(aSchema({ title: 'A', description })), JSON.stringify(description)).toEqual(accepted)
    }
  })
})

describe('the characters of a title', () => {
  test.each([
    { title: '', says: 'is blank.' },
    { title: ' ', says: 'is blank.' },
    { title: '\u00a0\u3000\u2028\ufeff', says: 'is blank.' },
    { title: '\u200b', says: 'is blank.' },
    { title: '\u2060\u00ad\u034f \ufe0f\u3164', says: 'is blank.' },
    { title: '\u2800\ufff9\u{e0041}', says: 'is blank.' },
    { title: 'Land/Cover', says: 'has the reserved character /.' },
    { title: '/', says: 'has the reserved character /.' },
    { title: 'Land, Cover', says: 'has the reserved character ,.' },
    { title: 'a\u0000b', says: 'has a control character.' },
    { title: 'a\tb', says: 'has a control character.' },
    { title: 'a\nb', says: 'has a control character.' },
    { title: 'a\u001fb', says: 'has a control character.' },
    { title: 'a\u007fb', says: 'has a control character.' },
    { title: 'a\u0080b', says: 'has a control character.' },
    { title: 'a\u009fb', says: 'has a control character.' },
    { title: 'a\ud800', says: 'has a lone surrogate.' },
    { title: '\udfffa', says: 'has a lone surrogate.' },
    { title: '\udfff\ud800', says: 'has a lone surrogate.' },
  ])('$title $says', ({ title, says }) => {
    expect(sentences(aSchema({ title }))).toEqual([`Title at /categorySchema/0/title ${says}`])
  })

  test.each([
    ' Land ',
    'a\u2028b',
    'a\u00a0b',
    'a\u00adb',
    '\u202eabc',
    '\uffff',
    '🗺',
    'א',
    'Ｌand',
    '／',
    '،',
    '\\',
    '"',
    "'",
    '.',
    '..',
    '~0',
    '<b>',
    '__proto__',
    'constructor',
    'null',
    'a\ue000',
  ])('%j is a title', (title) => {
    expect(judgeSchema(JSON.stringify(aSchema({ title })), groupLimits)).toMatchObject({
      document: JSON.stringify(aSchema({ title })),
    })
  })
})

describe('several violations together', () => {
  test('each gets a sentence with its place, in the order of the document', () => {
    const schema = aSchema(
      {
        title: 'A',
        description: aText(300),
        categories: [{ title: ' ' }, { title: 'x/y', categories: [{ title: 'a,b' }] }],
      },
      { title: `${aText(99)}/\u0000` },
    )
    expect(sentences(schema)).toEqual([
      'Description at /categorySchema/0/description has 300 characters; at most 299 are allowed.',
      'Title at /categorySchema/0/categories/0/title is blank.',
      'Title at /categorySchema/0/categories/1/title has the reserved character /.',
      'Title at /categorySchema/0/categories/1/categories/0/title has the reserved character ,.',
      'Title at /categorySchema/1/title has 101 characters; at most 99 are allowed.',
      'Title at /categorySchema/1/title has the reserved character /.',
      'Title at /categorySchema/1/title has a control character.',
    ])
  })

  test('depth, total and texts are reported together', () => {
    const deep = JSON.parse(JSON.stringify(aSchemaOfLevels(5)).replace('Level 5', ' ')).categorySchema
    const wide = { title: 'Wide', categories: Array.from({ length: 200 }, () => ({ title: 'W' })) }
    const fifth = '/categorySchema/0/categories/0/categories/0/categories/0/categories/0'
    expect(sentences(aSchema(...deep, wide))).toEqual([
      'Category schema at /categorySchema has 206 categories; at most 200 are allowed.',
      `Category at ${fifth} is on level 5; at most 4 levels are allowed.`,
      `Title at ${fifth}/title is blank.`,
    ])
  })

  test.each([
    { bad: 99, listed: 99, isCut: false },
    { bad: 100, listed: 100, isCut: false },
    { bad: 101, listed: 100, isCut: true },
    { bad: 199, listed: 100, isCut: true },
  ])('$bad violations: $listed are listed', ({ bad, listed, isCut }) => {
    const categories = Array.from({ length: bad }, () => ({ title: '' }))
    const says = sentences(aSchema({ title: 'Root', categories }))
    expect(says.slice(0, listed)).toEqual(
      Array.from({ length: listed }, (_, index) => `Title at /categorySchema/0/categories/${index}/title is blank.`),
    )
    expect(says.slice(listed)).toEqual(isCut ? ['Further violations are not listed.'] : [])
  })
})
