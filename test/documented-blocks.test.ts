import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readConfig, settings as settingTable } from '../src/config.ts'

const root = new URL('../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

/** Written by hand; test/http/docs/examples.test.ts executes every example of docs/api.md. */
const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md', 'SECURITY.md'],
  ...readdirSync(new URL('docs', root)).flatMap((name) => (/^(?!api\.).*\.md$/.test(name) ? [`docs/${name}`] : [])),
]

interface Block {
  readonly place: string
  readonly language: string
  readonly text: string
  /** What stands above it. */
  readonly above: string
}

function blocksOf(path: string): readonly Block[] {
  const found = read(path).matchAll(/(?<above>.*)\n```(?<language>\w*).*\n(?<text>[\s\S]*?)\n```$/gm)
  return [...found].map(({ index, input, groups }) => ({
    place: `${path}:${input.slice(0, index).split('\n').length + 1}`,
    ...(groups as Pick<Block, 'above' | 'language' | 'text'>),
  }))
}

const blocks = documents.flatMap(blocksOf)

describe('a block of code in a document', () => {
  test.for(blocks.map((block) => [block.place, block] as const))(
    'says by which test it is run, or why it is not (%s)',
    ([place, { above }]) => {
      const [, by, whyNot] = /^<!-- (?:run by (\S+)|not run: (.+)) -->$/.exec(above) ?? []
      expect(by ?? whyNot, `${place} has no mark above it`).toBeDefined()
      if (by === undefined) return
      expect(existsSync(new URL(by, root)), `${by} is there`).toBe(true)
      expect(read(by)).toContain(place.split(':')[0])
    },
  )

  test('has settings that there are, with values that they take', () => {
    const known = settingTable.map(({ name }) => name)
    const settings = blocks.filter(({ language }) => language === 'ini')
    expect(settings.length).toBeGreaterThan(0)
    for (const { text } of settings) {
      const pairs = text.split('\n').map((line) => line.split('=') as [string, string])
      expect(known).toEqual(expect.arrayContaining(pairs.map(([name]) => name)))
      readConfig(Object.fromEntries(pairs))
    }
  })
})
