import { describe, expect, test } from 'vitest'
import { findFormat } from '../../../src/http/decoding/accept.ts'
import { readRequestParameters } from '../../../src/http/decoding/request-parameters.ts'

const parameters = await readRequestParameters({
  query: '',
  contentType: undefined,
  body: undefined,
  bareBody: undefined,
})

describe('without f, the format is that of the Accept header', () => {
  test.each([
    [undefined, 'json'],
    ['*/*', 'json'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'html'],
    ['application/json, text/html', 'json'],
  ])('%s: %s', (accept, format) => {
    expect(findFormat(parameters, accept)).toBe(format)
  })

  test('up to 1 KiB; a client with a longer one gets JSON', () => {
    const padded = (length: number) => 'text/html,'.padEnd(length, ',')
    expect(findFormat(parameters, padded(1024))).toBe('html')
    expect(findFormat(parameters, padded(1025))).toBe('json')
  })
})
