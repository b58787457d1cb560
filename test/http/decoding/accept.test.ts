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
    ['application/json', 'json'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'html'],
    ['text/html, application/xhtml+xml, */*', 'html'],
    ['TEXT/HTML', 'html'],
    ['application/json;q=0.5, text/html', 'html'],
    ['application/json, text/html', 'json'],
    ['text/html, application/json', 'json'],
    ['text/html;q=0.8, application/json', 'json'],
    ['text/html;q=0.5, application/*', 'json'],
    ['text/html;q=0.5, */*', 'json'],
    ['text/html;q=0, */*', 'json'],
    ['text/plain, text/*', 'json'],
    [';;q=x,,/', 'json'],
  ])('%s: %s', (accept, format) => {
    expect(findFormat(parameters, accept)).toBe(format)
  })

  test('up to 1 KiB; a client with a longer one gets JSON', () => {
    const padded = (length: number) => 'text/html,'.padEnd(length, ',')
    expect(findFormat(parameters, padded(1024))).toBe('html')
    expect(findFormat(parameters, padded(1025))).toBe('json')
  })
})
