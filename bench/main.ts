/**
 * `npm run bench`: the service beside the floor, its memory and its starts. Other kinds are chosen by an option:
 *
 * - `--growth`: databases of 1,000 and of 1,000,000 groups
 * - `--content`: searches and writes of items (`--items 100000`, `--engine sqlite` or `postgres`)
 * - `--at-once`: programs that send many concurrent requests (`--engine`)
 * - `--soak`: honest users beside hostile ones (`--minutes 3`, `--engine postgres` for three servers, `--seed`)
 * - `--neighbours`: honest users beside each other (`--engine postgres`)
 * - `--bystanders`: members of other organizations beside attacks (`--engine postgres`)
 * - `--worst`: the longest time that one request occupies the serving thread; `--deaf`: clients that read no answer
 * - `--replicas`: 50 changes a second beside searches of three servers on PostgreSQL (`--items`, `--minutes`)
 * - `--log`: pages of the audit log (`--entries 1000000`)
 * - `--against <folder>`: this checkout and another one, in alternating rounds
 *
 * With each: `--only read` measures the rows with that in their names; `--checkout <folder>` starts the server of another
 * checkout, with its packages installed, where it has its own process; `--quick` only checks that all runs; `--markdown` prints
 * tables for documents.
 * A complete run is kept in results.json.
 */

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { measureAgainst } from './against.ts'
import { measureAtOnce } from './at-once.ts'
import { measureBesideFloor } from './beside-floor.ts'
import { measureBystanders } from './bystanders.ts'
import { measureContent } from './content.ts'
import { pinLoad } from './cores.ts'
import { measureDeaf } from './deaf.ts'
import { measureGrowth } from './growth.ts'
import { measureLog } from './log.ts'
import { measureMemory } from './memory.ts'
import { measureNeighbours } from './neighbours.ts'
import { measureOthers } from './other-rows.ts'
import { measureReplicas } from './replicas.ts'
import type { Result, Run } from './result.ts'
import { keep } from './results.ts'
import { here } from './servers.ts'
import { measureSoak } from './soak.ts'
import { measureStarts } from './starts.ts'
import { describeMachine, formatMarkdown, printResult } from './table.ts'
import { measureWorst } from './worst.ts'

const { values: options } = parseArgs({
  options: {
    growth: { type: 'boolean' },
    content: { type: 'boolean' },
    'at-once': { type: 'boolean' },
    soak: { type: 'boolean' },
    bystanders: { type: 'boolean' },
    neighbours: { type: 'boolean' },
    worst: { type: 'boolean' },
    deaf: { type: 'boolean' },
    replicas: { type: 'boolean' },
    log: { type: 'boolean' },
    against: { type: 'string' },
    items: { type: 'string', default: '100000' },
    entries: { type: 'string', default: '1000000' },
    minutes: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    engine: { type: 'string' },
    checkout: { type: 'string' },
    only: { type: 'string', default: '' },
    quick: { type: 'boolean' },
    markdown: { type: 'boolean' },
  },
})
const checkout = options.checkout === undefined ? here : resolve(options.checkout)
const { only, engine } = options
const quick = { rounds: 1, milliseconds: 100, warmMilliseconds: 100, idleSeconds: 1, loadSeconds: 1, maxRows: 1_000 }
const whole = { rounds: 5, milliseconds: 2_000, warmMilliseconds: 3_000, idleSeconds: 5, loadSeconds: 60, maxRows: 1e9 }
const run: Run = { ...(options.quick ? quick : whole), checkout, only }

const kinds: Readonly<Record<string, () => AsyncIterable<Result>>> = {
  growth: () => measureGrowth(run),
  content: () => measureContent(run, { size: Number(options.items), engine }),
  'at-once': () => measureAtOnce(run, engine),
  soak: () => {
    const given = { minutes: options.quick ? 0.1 : Number(options.minutes), seed: Number(options.seed) }
    return measureSoak(run, { ...given, engine: engine === 'postgres' ? 'postgres' : 'sqlite' })
  },
  bystanders: () => measureBystanders(run, engine === 'postgres' ? 'postgres' : 'sqlite'),
  neighbours: () => measureNeighbours(run, engine === 'postgres' ? 'postgres' : 'sqlite'),
  worst: () => measureWorst(run),
  deaf: () => measureDeaf(run),
  replicas: () =>
    measureReplicas(run, { items: Number(options.items), minutes: options.quick ? 0.1 : Number(options.minutes) }),
  log: () => measureLog(run, Number(options.entries), engine),
  against: () => measureAgainst(resolve(options.against!), run),
  floor: async function* () {
    for (const measure of [measureBesideFloor, measureMemory, measureStarts, measureOthers]) yield* measure(run)
  },
}

// Servers end when this process does.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
console.log(describeMachine(run))
const kind = Object.keys(kinds).find((name) => name in options) ?? 'floor'
// Kinds with several servers, or with clients as they occur in practice, use all cores.
pinLoad(['soak', 'replicas', 'bystanders', 'neighbours', 'at-once'].includes(kind) ? 'all' : 'second')

const results: Result[] = []
for await (const result of kinds[kind]!()) {
  printResult(result)
  results.push(result)
}
if (results.length === 0) {
  console.error(`No row has "${only}" in its name.`)
  process.exitCode = 1
}
if (options.markdown) console.log(`\n${formatMarkdown(results)}`)
if (!options.quick && only === '' && checkout === here) {
  keep(engine === undefined ? kind : `${kind} on ${engine}`, results)
  console.log('Kept in bench/results.json.')
}
