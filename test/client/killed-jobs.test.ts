import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleClient } from '../../scripts/release/client.ts'
import { ArcgisPortal } from '../support/arcgis/arcgis-portal.ts'
import { seededRandom } from '../support/inputs/seeded-random.ts'
import { countOf } from '../support/length.ts'
import { Secrets } from './secrets.ts'
import { findFiles } from './signed-in.ts'

/** Rows of the table, and kills of the command that does it. */
const count = countOf({ sample: 500, system: 1_000, long: 100_000 })
const kills = countOf({ sample: 2, system: 5, long: 50 })
let folder: string
let file: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'jobs-'))
  file = join(folder, 'cartulary-client.mjs')
  writeFileSync(file, await bundleClient(fileURLToPath(new URL('../../', import.meta.url))))
  chmodSync(file, 0o755)
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Notes how much memory a process had at most; `resourceUsage` has that of the process it was forked from too. */
const measured = `process.on('exit', () => {
  const { readFileSync, writeSync } = require('node:fs')
  writeSync(3, String(1024 * Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1])))
})`

/** A command at a portal; answers its exit code or signal, and the bytes that it had at most. */
function start(env: NodeJS.ProcessEnv, ...words: readonly string[]) {
  const script = join(folder, 'measure.cjs')
  writeFileSync(script, measured)
  const options = ['--max-old-space-size=60', '--require', script, file, ...words]
  const child = spawn(process.execPath, options, {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const texts = ['', '', '', '']
  for (const at of [1, 2, 3]) {
    child.stdio[at]!.on('data', (chunk: unknown) => {
      texts[at] += String(chunk)
    })
  }
  const ended = once(child, 'close').then(([code, signal]) => {
    return { code, signal, said: texts[1]! + texts[2]!, bytes: Number(texts[3]) }
  })
  return { child, ended }
}

test('a table is done by the same command whatever kills it: no item is left out or changed twice', async () => {
  await using portal = await ArcgisPortal.open('online')
  portal.schemas.set(portal.id, { categorySchema: [{ title: 'Water', categories: [{ title: 'Rivers' }] }] })
  const items = Array.from({ length: count }, (_, at) => portal.addItem({ title: `Map ${at}` }))
  portal.index.settle()
  const rows = items.map(({ id }, at) => `${id},Map ${at},${at % 2 === 0 ? '/Water' : '/Water/Rivers | /Water'}\r\n`)
  writeFileSync(join(folder, 'items.csv'), `id,title,categories\r\n${rows.join('')}`)
  const token = portal.tokenOf('anna')
  const env = { ...process.env, CARTULARY_URL: portal.url, CARTULARY_TOKEN: token, XDG_STATE_HOME: folder }
  const command = ['item', 'categorize', 'items.csv', '--in', 'org', '--json'] as const

  const random = seededRandom(55)
  const draw = (max: number) => Math.floor(random() * max)
  let killed = 0
  let ended: Awaited<ReturnType<typeof start>['ended']> | undefined
  const begun = performance.now()
  const perKill = Math.max(1, Math.floor((3 * count) / 100 / kills))
  while (!ended || ended.signal === 'SIGKILL') {
    let running: ReturnType<typeof start> | undefined
    if (killed < kills) {
      const when = draw(2) === 0 ? 'before' : 'after'
      const act = () => void running!.child.kill('SIGKILL')
      portal.plan('*', { kind: 'meanwhile', when, act }, 1 + draw(2 * perKill))
    }
    running = start(env, ...command)
    ended = await running.ended
    portal.mend()
    if (ended.signal === 'SIGKILL') killed += 1
  }
  const seconds = (performance.now() - begun) / 1_000
  expect(ended.said).toContain(`"changed":${count},"unchanged":0,"refused":0`)
  expect([ended.code, killed > 0]).toEqual([0, true])

  const batches = portal.calls.flatMap(({ operation, parameters }) =>
    operation === 'updateItems' ? (JSON.parse(parameters.get('items')!).flatMap(Object.keys) as string[]) : [],
  )
  const sent = portal.count('updateItems')
  const version = await start(env, '--version').ended
  const above = ended.bytes - version.bytes
  const undone = await start(env, 'item', 'revert', JSON.parse(ended.said).runId, '--yes', '--json').ended
  process.stdout.write(
    `${count} rows, ${killed} kills: ${Math.round(seconds)} s, ${Math.round(above / 1024 / 1024)} MiB above --version, ` +
      `undone with ${Math.round((undone.bytes - version.bytes) / 1024 / 1024)} MiB, ${sent - Math.ceil(count / 100)} batches twice\n`,
  )
  // Items left out, and changed twice.
  expect(new Set(batches).size).toBe(count)
  expect(batches.length - new Set(batches).size).toBe(0)
  expect(sent - Math.ceil(count / 100)).toBeLessThanOrEqual(killed)
  expect(undone.said).toContain(`"changed":${count},"unchanged":0,"refused":0`)
  expect(new Set(items.map(({ categories }) => categories.length))).toEqual(new Set([0]))
  expect(portal.extensionBytes).toBe(0)
  const secrets = new Secrets()
  secrets.add(token)
  secrets.requireHidden('item categorize', ended.said + undone.said, folder)
  for (const path of findFiles(folder, /\.(jsonl|seal)$/)) expect(readFileSync(path, 'utf8')).not.toContain(token)
})
