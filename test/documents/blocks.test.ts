import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readConfig, settings as settingTable } from '../../src/config.ts'
import { documents, read, root } from './documents.ts'

interface Block {
  readonly document: string
  readonly place: string
  readonly language: string
  readonly text: string
  /** Text above the block. */
  readonly above: string
}

function blocksOf(document: string): readonly Block[] {
  const found = read(document).matchAll(/(?<above>.*)\n```(?<language>\w*).*\n(?<text>[\s\S]*?)\n```$/gm)
  return [...found].map(({ index, input, groups }) => ({
    document,
    place: `${document}:${input.slice(0, index).split('\n').length + 1}`,
    ...(groups as Pick<Block, 'above' | 'language' | 'text'>),
  }))
}

const blocks = documents.flatMap(blocksOf)

test('a block of code says by which test it is run, or why it is not', () => {
  const wrong = blocks.flatMap(({ document, place, above }) => {
    const [, by, whyNot] = /^<!-- (?:run by (\S+)|not run: (.+)) -->$/.exec(above) ?? []
    if (by === undefined) return whyNot === undefined ? [`${place} has no mark above it`] : []
    if (!existsSync(new URL(by, root))) return [`${place} names ${by}, which is not there`]
    return read(by).includes(document) ? [] : [`${place} names ${by}, which does not read it`]
  })
  expect(wrong).toEqual([])
})

test('blocks of settings have values that are taken', () => {
  const known = settingTable.map(({ name }) => name)
  const settings = blocks.filter(({ language }) => language === 'ini')
  expect(settings.length).toBeGreaterThan(0)
  for (const { text } of settings) {
    const pairs = text.split('\n').map((line) => line.split('=') as [string, string])
    expect(known).toEqual(expect.arrayContaining(pairs.map(([name]) => name)))
    readConfig(Object.fromEntries(pairs))
  }
})
