import { describe, expect, test } from 'vitest'
import { groupLimits, portalLimits } from '../../../src/categories/limits.ts'
import { listCategories, listPaths } from '../../../src/categories/schema-paths.ts'
import { judgeRead } from '../../../src/schema-files/import.ts'
import { conceptsOf, schemaOf, sizeOf } from '../../../src/schema-files/templates/template.ts'
import { templates, templatesIn } from '../../../src/schema-files/templates/templates.ts'

const sizes = { iso19115: 1 + 19, inspire: 1 + 34, 'inspire-annexes': 1 + 3 + 34 }

test('there are three templates, each with its number of categories', () => {
  expect(templates.map((template) => [template.name, sizeOf(template)])).toEqual(Object.entries(sizes))
  // A person chooses them by their titles.
  expect(new Set(templates.map(({ title }) => title)).size).toBe(templates.length)
})

const inEachLanguage = (['en', 'de', 'fr', 'es', 'ja', 'ar'] as const).flatMap((language) =>
  templatesIn(language).map((template) => ({ ...template, language })),
)

test('every label is in each language, and no title is that of another list', () => {
  const seen = new Map<string, string>()
  for (const { language, title, concepts } of inEachLanguage) {
    expect(concepts.filter(({ label }) => !label?.trim())).toEqual([])
    expect(seen.get(title) ?? language).toBe(language)
    seen.set(title, language)
  }
})

describe.each(inEachLanguage)('$name, $language', (template) => {
  test.each([
    ['a group', groupLimits],
    ['an organization', portalLimits],
  ])('keeps the rules of %s', (_owner, limits) => {
    for (const keepUris of [false, true]) {
      const schema = schemaOf(template, keepUris)
      expect(judgeRead({ schema, places: new Map() }, limits)).toMatchObject({ value: { schema } })
      expect(listCategories(schema)).toHaveLength(sizeOf(template))
    }
  })

  test('has each path once, and the path of each concept', () => {
    const paths = listPaths(schemaOf(template, false))
    expect(new Set(paths).size).toBe(paths.length)
    const concepts = conceptsOf(template)
    expect(paths.filter((path) => concepts.every((concept) => concept.path !== path))).toHaveLength(
      sizeOf(template) - concepts.length,
    )
    for (const values of [concepts.map(({ uri }) => uri), concepts.map(({ code }) => code)]) {
      expect(new Set(values).size).toBe(concepts.length)
    }
  })

  test('has the URI of each concept as its source, if it is to', () => {
    const uris = new Map(conceptsOf(template).map(({ path, uri }) => [path, uri]))
    const sources = (keepUris: boolean) =>
      listCategories(schemaOf(template, keepUris)).map(({ path, category }) => [path, category.source])
    expect(sources(true).filter(([path, source]) => uris.get(path!) !== source)).toEqual([])
    expect(sources(false).filter(([, source]) => source !== undefined)).toEqual([])
  })
})

test('labels are kept beside titles without slashes and commas', () => {
  const [iso, inspire, annexes] = templates.map(conceptsOf)
  expect(iso![9]).toEqual({
    path: '/ISO topic categories/Imagery ∕ Base Maps ∕ Earth Cover',
    uri: 'http://inspire.ec.europa.eu/metadata-codelist/TopicCategory/imageryBaseMapsEarthCover',
    code: '010',
    label: 'Imagery / Base Maps / Earth Cover',
  })
  expect(inspire![7]).toEqual({
    path: '/INSPIRE themes/Hydrography',
    uri: 'http://inspire.ec.europa.eu/theme/hy',
    code: 'hy',
    label: 'Hydrography',
  })
  expect(annexes!.find(({ code }) => code === 'am')).toMatchObject({
    path: '/INSPIRE themes/Annex III/Area management∕restriction∕regulation zones and reporting units',
  })
})
