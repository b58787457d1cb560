import { describe, expect, test } from 'vitest'
import { formatValue } from '../../../src/http/pages/value.ts'
import { list, object, type Shape, text, time } from '../../../src/http/shapes/shape.ts'

function format(value: unknown, shape: Shape): string {
  return formatValue(value, shape, () => []).markup
}

const noon = 1_768_478_400_000
const shown = '<time datetime="2026-01-15T12:00:00.000Z">2026-01-15 12:00:00 UTC</time>'

describe('a number is shown as a time where its shape says so', () => {
  test('as a member', () => {
    expect(format({ at: noon }, object({ at: time('Then.') }))).toContain(shown)
  })

  test('of what never happened, as a word', () => {
    const page = format({ at: -1, ends: 0 }, object({ at: time('Then.'), ends: time('End.') }))
    expect(page).toContain('<span class="nothing">never</span>')
    expect(page).toContain('<span class="number">0</span>')
  })

  test('in a table', () => {
    const steps = list(object({ at: time('Then.'), by: text() }))
    expect(format([{ at: noon, by: 'admin' }], steps)).toContain(shown)
  })

  test('in an entry of a list of larger objects', () => {
    const entries = list(object({ name: text(), within: object({ at: time('Then.') }) }))
    expect(format([{ name: 'One', within: { at: noon } }], entries)).toContain(shown)
  })

  test('and nowhere else, whatever its name', () => {
    const shape = object({ config: { ...object({}), additionalProperties: true } })
    const page = format({ config: { created: noon, constructor: noon } }, shape)
    expect(page).toContain(`<span class="number">${noon}</span>`)
    expect(page).not.toContain('<time')
  })
})
