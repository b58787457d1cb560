/**
 * `npm run bench`: the service against the floor, side by side on this machine. Prints a table, and keeps it in
 * results.json and as a drawing. `-- --growth` compares databases of several sizes, `-- --peers` other servers,
 * `-- --against <folder>` another checkout of this project, with its packages installed; `-- --worst` how long one request
 * occupies the serving thread at most; `-- --soak <minutes>` honest users beside hostile ones (`--engine postgres` for
 * three servers on PostgreSQL, `--seed <number>`); `-- --content` searches and writes of items (`--items 100000`, `--engine sqlite` or `postgres`);
 * `-- --peers-content` content by category beside another server (`--items 20000`);
 * `-- --deaf` clients that read no answer;
 * `-- --short` takes half a minute, keeps nothing, and fails where something is far from its goal; `-- --only read`
 * measures the rows with that in their names, and keeps nothing.
 */

import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { measureAgainst } from './against.ts'
import { measureContent } from './content.ts'
import { pinLoad } from './cores.ts'
import { measureDeaf } from './deaf.ts'
import { measureGrowth } from './growth.ts'
import { measureLog } from './log.ts'
import { measurePeers } from './peers.ts'
import { measurePeersContent } from './peers-content.ts'
import { isFarOff, type Result, type Row, type Run, resultOf } from './result.ts'
import { keep, type Results } from './results.ts'
import { rows } from './rows.ts'
import { soak } from './soak.ts'
import { describeMachine, printPeers, printResult } from './table.ts'
import { measureWorst } from './worst.ts'

const { values: options } = parseArgs({
  options: {
    short: { type: 'boolean' },
    growth: { type: 'boolean' },
    deaf: { type: 'boolean' },
    peers: { type: 'boolean' },
    'peers-content': { type: 'boolean' },
    against: { type: 'string' },
    worst: { type: 'boolean' },
    content: { type: 'boolean' },
    log: { type: 'boolean' },
    entries: { type: 'string', default: '1000000' },
    items: { type: 'string' },
    soak: { type: 'string' },
    engine: { type: 'string' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
})
const run: Run = options.short
  ? { rounds: 3, milliseconds: 400, warmMilliseconds: 800, idleSeconds: 1 }
  : { rounds: 5, milliseconds: 2_000, warmMilliseconds: 3_000, idleSeconds: 5 }

/** Milliseconds. */
const pause = 2_000

console.log(describeMachine(run))
pinLoad()

if (options.against !== undefined) await print(measureAgainst(resolve(options.against), run, options.only))
else if (options.content) {
  const { items = '100000', only, engine } = options
  keepAll({ content: await print(measureContent(run, { size: Number(items), only, engine })) })
} else if (options.log) await print(measureLog(run, Number(options.entries), options.engine))
else if (options.deaf) await print(measureDeaf(run, options.only))
else if (options.soak !== undefined) {
  const engine = options.engine === 'postgres' ? 'postgres' : 'sqlite'
  if (!(await soak(Number(options.soak), engine, Number(options.seed), options.only))) process.exitCode = 1
} else if (options.worst) await print(measureWorst())
else if (options.growth) keepAll({ growth: await print(measureGrowth(run)) })
else if (options['peers-content']) {
  keepAll({ peersContent: await measurePeersContent(run, Number(options.items ?? '20000')) })
} else if (options.peers) {
  const peers = await measurePeers(run)
  printPeers(peers)
  keepAll({ peers })
} else {
  const results = await print(measureRows())
  if (options.short) requireHalf(results)
  else keepAll({ floor: results })
}

async function* measureRows(): AsyncIterable<Result> {
  if (!rows.some(({ name }) => name.includes(options.only))) {
    console.error(`No row has "${options.only}" in its name. There are: ${rows.map(({ name }) => name).join('; ')}.`)
    process.exitCode = 1
  }
  for (const row of rows) {
    const isLeftOut = options.short && row.isLong
    if (!isLeftOut && row.name.includes(options.only)) yield await (options.short ? bestOf(row) : resultOf(row, run))
  }
}

/** A machine that is busy with something else for a moment is given two more chances; a mistake fails all three. */
async function bestOf(row: Row): Promise<Result> {
  let result = await resultOf(row, run)
  for (let again = 0; again < 2 && isFarOff(result); again += 1) {
    await delay(pause)
    result = await resultOf(row, run)
  }
  return result
}

async function print(measured: AsyncIterable<Result>): Promise<Result[]> {
  const results: Result[] = []
  for await (const result of measured) {
    printResult(result)
    results.push(result)
  }
  return results
}

function keepAll(results: Results): void {
  if (options.short || options.only !== '') return
  keep(results)
  console.log('Kept in bench/results.json and bench/results.svg.')
}

function requireHalf(results: readonly Result[]): void {
  const farOff = results.filter(isFarOff)
  if (farOff.length === 0) return
  const names = farOff.map(({ name }) => name).join('; ')
  console.error(`Less than half as good as the goal: ${names}.`)
  process.exitCode = 1
}
