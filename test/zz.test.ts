import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { afterAll, beforeAll } from 'vitest'
const session = new Session()
session.connect()
beforeAll(async () => {
  await session.post('Profiler.enable')
  await session.post('Profiler.start')
})
afterAll(async () => {
  const { profile } = await session.post('Profiler.stop')
  writeFileSync('/tmp/prof/a.json', JSON.stringify(profile))
})
await import(process.env['ZZ']!)
afterAll(() => console.log('SENT', (globalThis as any).sent))
