import { expect, test } from 'vitest'
import { sampleTexts } from '../../src/first-run/sample-texts.ts'
import { themes, titles, topics } from '../../src/schema-files/templates/labels.ts'

test.each(Object.entries({ sampleTexts, themes, titles, topics }))('%s has a text in each language', (_name, table) => {
  const lines = table.trim().split('\n')
  const incomplete = lines.filter((line) => line.split(' | ').filter((cell) => cell.trim() !== '').length !== 7)
  expect(incomplete).toEqual([])
  expect(new Set(lines.map((line) => line.split(' | ')[0])).size).toBe(lines.length)
})
