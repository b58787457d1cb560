import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ArcgisPortal } from '../support/arcgis/arcgis-portal.ts'
import { seededRandom } from '../support/inputs/seeded-random.ts'
import { countOf } from '../support/length.ts'
import { MeasuredClient } from './measured-client.ts'
import { Secrets } from './secrets.ts'
import { findFiles } from './signed-in.ts'

/** Rows of the table, and kills of the command that does it. */
const count = countOf({ sample: 500, system: 1_000, long: 100_000 })
const kills = countOf({ sample: 2, system: 5, long: 50 })

test('a table is done by the same command whatever kills it: no item is left out or changed twice', async () => {
  await using portal = await ArcgisPortal.open('online')
  portal.schemas.set(portal.id, { categorySchema: [{ title: 'Water', categories: [{ title: 'Rivers' }] }] })
  const items = Array.from({ length: count }, (_, at) => portal.addItem({ title: `Map ${at}` }))
  portal.index.settle()
  const rows = items.map(({ id }, at) => `${id},Map ${at},${at % 2 === 0 ? '/Water' : '/Water/Rivers | /Water'}\r\n`)
  const token = portal.tokenOf('anna')
  using client = await MeasuredClient.open({ CARTULARY_URL: portal.url, CARTULARY_TOKEN: token })
  const { folder } = client
  writeFileSync(join(folder, 'items.csv'), `id,title,categories\r\n${rows.join('')}`)
  const command = ['item', 'categorize', 'items.csv', '--in', 'org', '--json'] as const

  const random = seededRandom(55)
  const draw = (max: number) => Math.floor(random() * max)
  let killed = 0
  let ended: Awaited<ReturnType<typeof client.run>> | undefined
  const begun = performance.now()
  const perKill = Math.max(1, Math.floor((3 * count) / 100 / kills))
  while (!ended || ended.signal === 'SIGKILL') {
    let running: ReturnType<typeof client.start> | undefined
    if (killed < kills) {
      const when = draw(2) === 0 ? 'before' : 'after'
      const act = () => void running!.child.kill('SIGKILL')
      portal.plan('*', { kind: 'meanwhile', when, act }, 1 + draw(2 * perKill))
    }
    running = client.start(command)
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
  const version = await client.run(['--version'])
  const exported = await client.run(['item', 'export', '-o', 'export.csv'])
  expect(readFileSync(join(folder, 'export.csv'), 'utf8').split('\r\n')).toHaveLength(count + 2)
  const undone = await client.run(['item', 'revert', JSON.parse(ended.said).runId, '--yes', '--json'])
  const listed = await client.run(['item', 'uncategorized', '--json'])
  expect(JSON.parse(listed.printed).items).toHaveLength(count)
  const megabytes = [ended, exported, undone, listed].map(({ bytes }) => Math.round((bytes - version.bytes) / 1e6))
  process.stdout.write(
    `${count} rows, ${killed} kills: ${Math.round(seconds)} s, ${sent - Math.ceil(count / 100)} batches twice; MB above ` +
      `--version of categorize, export, revert and uncategorized: ${megabytes.join(', ')}\n`,
  )
  // Documented for 100,000 rows.
  expect(Math.max(...megabytes)).toBeLessThanOrEqual(60)
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
