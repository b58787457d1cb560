import { expect, onTestFinished, test, vi } from 'vitest'
import { formatJson, requireFits, requireWritable } from '../../../src/http/answer.ts'
import { defaultLimits } from '../../../src/limits.ts'
import { startPortal } from '../../support/portal/portal.ts'
import { scrape } from '../../support/portal/scrape.ts'

/** Less than the setting may be, as no answer is larger than that. */
const maxBytes = 65_536
const refusal = {
  code: 400,
  message: 'Unable to read user.',
  details: [`The answer has more than ${maxBytes} bytes (LIMIT_ANSWER_BYTES).`],
}

test('an answer above the limit is refused by name and counted, however it is written', async () => {
  await using portal = await startPortal({ config: { limits: { ...defaultLimits, answerBytes: maxBytes } } })
  const admin = await portal.admin()
  const counted = async () =>
    (await scrape(portal.server.app)).series.get('cartulary_limits_reached_total{limit="answerBytes"}')
  for (let count = 0; count < 10; count += 1) {
    await admin.createGroup(`Map ${count}`, { description: 'd'.repeat(10_000) })
  }
  for (const [at, f] of ['json', 'pjson'].entries()) {
    expect(await admin.get('/community/self', { f })).toEqual({ error: refusal })
    expect(await counted()).toBe(at + 1)
  }
  expect(await admin.get('/community/groups', { num: '5' })).toMatchObject({ total: 10, num: 5 })
})

test('an answer that is larger in any case is refused before it is written', () => {
  const stringify = vi.spyOn(JSON, 'stringify')
  onTestFinished(() => stringify.mockRestore())
  const large = { json: { list: Array.from({ length: 100 }, () => 'x'.repeat(1_000)) } }
  expect(() => requireWritable(large, 100_000)).toThrow('The answer has more than 100000 bytes (LIMIT_ANSWER_BYTES).')
  expect(() => requireWritable({ json: Array.from({ length: 2_000 }, () => [0]) }, 2_000)).toThrow()
  requireWritable(large, 110_000)
  expect(stringify).not.toHaveBeenCalled()
})

test('bytes are counted, not characters', () => {
  const text = formatJson({ json: '地'.repeat(100) }, 'json')
  expect(requireFits(text, 302)).toBe(text)
  expect(() => requireFits(text, 301)).toThrow('The answer has more than 301 bytes (LIMIT_ANSWER_BYTES).')
  const bytes = Buffer.from(text)
  expect(requireFits(bytes, 302)).toBe(bytes)
  expect(() => requireFits(bytes, 301)).toThrow()
})
