import { describe, expect, test } from 'vitest'
import type { SkosOptions } from '../../../../src/schema-files/skos/options.ts'
import { corpusFile, outline, readRdf } from '../../../support/inputs/skos-corpus.ts'

/** A file, options, and the schema with its notes, or the sentences of the refusal. */
type Row = readonly [file: string, options: Partial<SkosOptions>, expected: string | readonly string[]]

const ofTitle = 'a title has neither / nor commas, control characters and outer blanks.'
const leftOut = 'A category has no place for these values, which are left out:'

describe('tops and schemes', () => {
  const rows: readonly Row[] = [
    ['no-top-concepts.ttl', {}, 'Terms (Water (Rivers), Soil (Clay), Alone)'],
    ['no-top-concepts.ttl', { roots: 'topConcepts' }, 'Water (Rivers), Soil (Clay), Alone'],
    [
      'top-with-broader.ttl',
      {},
      'Terms (Water (Rivers))\nrivers: It is declared a top concept, but has a broader concept, under which it is.',
    ],
    [
      'in-scheme-missing.ttl',
      {},
      'Land (Soil (Clay (Kaolin))), Sea (Tides)\nloose: Concepts outside the chosen schemes are left out: 1, this one first.',
    ],
    ['six-tops.ttl', {}, 'Themes: All of them. (A, B, C, D, E, F)'],
    [
      'six-tops.ttl',
      { roots: 'topConcepts' },
      'Themes (A, B, C, D, E, F)\nThe file has 6 trees, and at most 5 are allowed: they are below the root “Themes”. below=<title> names it otherwise, below=none leaves it out.',
    ],
    // The root that is asked for is made later.
    ['six-tops.ttl', { hasRoot: true, roots: 'scheme' }, 'Themes: All of them. (A, B, C, D, E, F)'],
    ['no-top-concepts.ttl', { hasRoot: true }, 'Water (Rivers), Soil (Clay), Alone'],
    ['two-schemes.ttl', { hasRoot: true }, 'Land (Coast, Soil), Sea (Coast, Mud)'],
    ['six-tops.ttl', { root: 'https://example.org/c' }, 'C'],
    ['two-schemes.ttl', {}, 'Land (Coast, Soil), Sea (Coast, Mud)'],
    [
      'two-schemes.ttl',
      { scheme: 'https://example.org/land' },
      'Land (Coast, Soil)\nmud: Concepts outside the chosen schemes are left out: 1, this one first.',
    ],
    [
      'six-schemes.ttl',
      {},
      `s1 (A), Sixth (B, C)\n${['s2', 's3', 's4', 's5'].map((scheme) => `${scheme}: The concept scheme has no concepts, and is left out.`).join('\n')}\ns1: It has no label; its title is from its URI.`,
    ],
    [
      'six-schemes.ttl',
      { root: 'https://example.org/s6' },
      'Sixth (B, C)\na: Concepts outside the chosen schemes are left out: 1, this one first.',
    ],
    [
      'six-schemes.ttl',
      { scheme: 'https://example.org/s6' },
      'Sixth (B, C)\na: Concepts outside the chosen schemes are left out: 1, this one first.',
    ],
    ['six-schemes.ttl', { scheme: 'https://example.org/s7' }, ['scheme: The file has no concept scheme <s7>.']],
    ['no-scheme.ttl', {}, 'Water (Rivers)\nThe file has no concept scheme; its top concepts are the trees.'],
    ['no-scheme.ttl', { roots: 'topConcepts' }, 'Water (Rivers)'],
    ['positions.ttl', {}, 'Terms (A, B, C)'],
    ['nothing.ttl', {}, ['The file has no SKOS concepts.']],
  ]
  test.each(rows)('%s with %j', async (file, options, expected) => {
    expect(outline(await readRdf(corpusFile(`tops/${file}`), options))).toEqual(expected)
  })
})

describe('hierarchies', () => {
  const ice = 'ice: It is also under <climate>: polyhierarchy=duplicate.'
  const rows: readonly Row[] = [
    [
      'polyhierarchy.ttl',
      {},
      'Terms (Water (Ice (Glacier)), Climate)\nice: It is only under its first broader concept, not under <climate>.',
    ],
    [
      'polyhierarchy.ttl',
      { polyhierarchy: 'duplicate' },
      `Terms (Water (Ice (Glacier)), Climate (Ice (Glacier)))\n${ice}\n${ice}`,
    ],
    [
      'polyhierarchy.ttl',
      { polyhierarchy: 'refuse' },
      ['<ice>: The concept has 2 broader concepts: <water>, <climate>.'],
    ],
    [
      'cycle.ttl',
      {},
      [
        'The concepts form a loop, from broader to narrower: <a> → <b> → <c> → <a>.',
        'The concepts form a loop, from broader to narrower: <self> → <self>.',
        'cycles=break leaves out the link that closes a loop.',
      ],
    ],
    [
      'cycle.ttl',
      { cycles: 'break' },
      'Terms (A (B (C)), Self)\na: Its broader concept <c> is ignored, as it closes a loop.\nself: Its broader concept <self> is ignored, as it closes a loop.',
    ],
    [
      'cycle.ttl',
      { root: 'https://example.org/b' },
      'B (C (A))\na: It is declared a top concept, but has a broader concept, under which it is.',
    ],
    [
      'five-levels.ttl',
      {},
      [
        'The file would become 7 categories on 5 levels (1, 2, 1, 2, 1); at most 200 on 4 levels are allowed. Branches that fit: A1 a1 (5), B1 b1 (1). root=<id> takes one branch, depth=cut leaves out what is too deep, roots=topConcepts leaves out the level of the scheme.',
      ],
    ],
    ['five-levels.ttl', { roots: 'topConcepts' }, 'A1 (A2 (A3 (A4), A3b)), B1'],
    [
      'five-levels.ttl',
      { depth: 'cut' },
      'Terms (A1 (A2 (A3, A3b)), B1)\na3: Its narrower concepts (1), and what is below them, are left out: depth=cut.',
    ],
    ['five-levels.ttl', { root: 'https://example.org/a2' }, 'A2 (A3 (A4), A3b)'],
    ['five-levels.ttl', { root: 'https://example.org/x' }, ['root: The file has no concept <x>.']],
    [
      'dangling-links.ttl',
      {},
      'Terms (Water)\nLinks to broader or narrower concepts that the file does not describe are ignored: 2.',
    ],
  ]
  test.each(rows)('%s with %j', async (file, options, expected) => {
    expect(outline(await readRdf(corpusFile(`hierarchies/${file}`), options))).toEqual(expected)
  })
})

describe('labels and definitions', () => {
  const noLabel = 'It has no label; its title is from its URI.'
  const long = 'Its definition has 303 characters; at most 299 are allowed.'
  const unusedNote = `${leftOut} skos:scopeNote 1.`
  const others = 'Scope: What it is for., Both: Defined., Node: In a node., None'
  const rest =
    'young: Its broader concept is deprecated and left out; this one becomes a top concept.\n' +
    `${leftOut} dcterms:creator 1, skos:altLabel 2, skos:related 1, %sskos:exactMatch 1.\n` +
    'Collections are left out: 1.\nold: Deprecated concepts are left out: 1, this one first.'
  const rows: readonly Row[] = [
    [
      'languages.ttl',
      {},
      `Terms (Water, Boden, Air)\nNo language was asked for: of labels, those in en are read first. Labels of the file by language: en 2, fr 2, none 1, de 1, de-at 1, it 1, sv 1.\n${leftOut} skos:prefLabel 5.`,
    ],
    [
      'languages.ttl',
      { readerLanguages: ['nl', 'de-CH', 'fr'] },
      `Begriffe (Wasser, Boden, Air)\nNo language was asked for: of labels, those in de are read first. Labels of the file by language: en 2, fr 2, none 1, de 1, de-at 1, it 1, sv 1.\n${leftOut} skos:prefLabel 5.`,
    ],
    [
      'languages.ttl',
      { languages: ['nl', 'EN'] },
      `Terms (Water, Boden, Air)\nair: It has no label in nl, EN; the one in fr is read.\n${leftOut} skos:prefLabel 5.`,
    ],
    [
      'languages.ttl',
      { languages: ['de'] },
      `Begriffe (Wasser, Boden, Air)\nair: It has no label in de; the one in fr is read.\n${leftOut} skos:prefLabel 5.`,
    ],
    [
      'two-of-one-language.ttl',
      {},
      `Terms (Water)\nwater: It has several labels in en; the first is read.\n${leftOut} skos:prefLabel 1.`,
    ],
    ['skos-xl.ttl', {}, 'Terms (Water)'],
    [
      'no-label.ttl',
      {},
      `Terms (Surface water, blank, Other)\nterms#Surface%20water: ${noLabel}\nblank: ${noLabel}\n${leftOut} skos:prefLabel 1.`,
    ],
    ['no-name.ttl', {}, ['A node without a URI: It has neither a label nor a URI with a name.']],
    [
      'reserved-characters.ttl',
      {},
      [
        'Terms (Climatology ∕ Meteorology∕Atmosphere, Soils Land, Surface water, Air)',
        `a: Its label “Climatology / Meteorology/Atmosphere” became the title “Climatology ∕ Meteorology∕Atmosphere”: ${ofTitle}`,
        `b: Its label “Soils, Land” became the title “Soils Land”: ${ofTitle}`,
        `c: Its label “Surface  water” became the title “Surface water”: ${ofTitle}`,
        `d: Its label “ Air ” became the title “Air”: ${ofTitle}`,
      ].join('\n'),
    ],
    ['only-reserved-characters.ttl', {}, ['<a>: Its label has only characters that a title may not have.']],
    [
      'too-long.ttl',
      {},
      [`<b>: The title “${'b'.repeat(100)}” has 100 characters; at most 99 are allowed. titles=cut cuts it at a word.`],
    ],
    [
      'equal-after-cleaning.ttl',
      {},
      `Terms (Land use, Land use)\na: Its label “Land, use” became the title “Land use”: ${ofTitle}\nb: Its title equals that of its sibling <a>.`,
    ],
    [
      'definitions.ttl',
      {},
      `Terms (Long: ${Array.from({ length: 59 }, () => 'word').join(' ')}…, ${others})\nlong: ${long} It is cut.\n${unusedNote}`,
    ],
    [
      'definitions.ttl',
      { descriptions: 'drop' },
      `Terms (Long, ${others})\nlong: ${long} It is left out.\n${unusedNote}`,
    ],
    ['definitions.ttl', { descriptions: 'refuse' }, [`<long>: ${long}`]],
    ['left-out.ttl', {}, `Terms (Water, Soil, Young)\n${rest.replace('%s', 'skos:notation 2, ')}`],
    ['left-out.ttl', { notation: 'prefix' }, `Terms (W Water, S Soil, Young)\n${rest.replace('%s', '')}`],
  ]
  test.each(rows)('%s with %j', async (file, options, expected) => {
    expect(outline(await readRdf(corpusFile(`labels/${file}`), options))).toEqual(expected)
  })
})

describe('syntaxes', () => {
  const rows: readonly Row[] = [
    [
      'gemet-like.rdf',
      { languages: ['en'] },
      `Environmental thesaurus (hydrosphere (water (geographic): Water as a part of the Earth's surface.))\n${leftOut} skos:prefLabel 2, skos:related 1.\nCollections are left out: 1.`,
    ],
    [
      'inspire-like.rdf',
      { languages: ['en'], keepUris: true, roots: 'topConcepts' },
      `Addresses: Location of properties. <theme/ad>, Hydrography <theme/hy>\n${leftOut} skos:prefLabel 2, skos:definition 1.`,
    ],
    ['nested.jsonld', { languages: ['de'] }, `Begriffe (Wasser (Flüsse))\n${leftOut} skos:prefLabel 3.`],
    ['thesaurus.nt', {}, 'Terms (Wäter)'],
  ]
  test.each(rows)('%s with %j', async (file, options, expected) => {
    expect(outline(await readRdf(corpusFile(`syntaxes/${file}`), options))).toEqual(expected)
  })

  test('entities of XML may be declared between apostrophes', async () => {
    const text = corpusFile('syntaxes/inspire-like.rdf')
    const other = text.replace(/(<!ENTITY \w+ )"([^"]*)"/g, "$1'$2'")
    expect(other).toContain("<!ENTITY theme 'https://example.org/theme'>")
    const cited = other.replace('Addresses', "<![CDATA[Addresses <!ENTITY a 'b'>]]>")
    const options = { languages: ['en'], roots: 'topConcepts' } as const
    const same = outline(await readRdf(text, options)) as string
    expect(outline(await readRdf(cited, options))).toEqual(same.replace('Addresses', "Addresses <!ENTITY a 'b'>"))
  })
})

test('each category has the URI of its concept, by its pointer', async () => {
  const reading = await readRdf(corpusFile('hierarchies/polyhierarchy.ttl'))
  expect(reading).toMatchObject({ value: { rows: 5, format: 'skos' } })
  expect('value' in reading && Object.fromEntries(reading.value.places)).toEqual({
    '/categorySchema/0': { uri: 'https://example.org/s' },
    '/categorySchema/0/categories/0': { uri: 'https://example.org/water' },
    '/categorySchema/0/categories/0/categories/0': { uri: 'https://example.org/ice' },
    '/categorySchema/0/categories/0/categories/0/categories/0': { uri: 'https://example.org/glacier' },
    '/categorySchema/0/categories/1': { uri: 'https://example.org/climate' },
  })
})

test('line ends of formatted XML are blanks in a description, those of a text without indents stay', async () => {
  const rdf = (definition: string) => `<?xml version="1.0"?>
    <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:skos="http://www.w3.org/2004/02/skos/core#">
      <skos:Concept rdf:about="https://example.org/a">
        <skos:prefLabel>A</skos:prefLabel>
        <skos:definition>${definition}</skos:definition>
      </skos:Concept>
    </rdf:RDF>`
  const read = async (definition: string) => outline(await readRdf(rdf(definition), { roots: 'topConcepts' }))
  expect(await read('\n          One line,\n          and another.\n        ')).toBe('A: One line, and another.')
  expect(await read('One line,\nand another.')).toBe('A: One line,\nand another.')
})
