/** Rows without a comparison: single steps, slow disks, pages of sign-in, and packages. */
import { countRuntimePackages } from './packages.ts'
import { figureOf, type Result, type Row, type Run, resultOf } from './result.ts'
import { diffOfSchemas } from './schema-diff.ts'
import { skosReading } from './schema-files.ts'
import { startService } from './servers.ts'
import { signInRows } from './sign-in.ts'
import { slowSync } from './slow-sync.ts'
import { assign, read, smallSchema } from './work.ts'

const rows: readonly Row[] = [
  {
    name: 'read, p99, beside assigns, fsync 5 ms slower',
    goal: 10,
    direction: 'at most',
    unit: 'ms',
    measure: readBesideAssigns,
  },
  { name: 'SKOS, 1 MiB read', goal: 2, direction: 'at most', unit: 's', measure: skosReading },
  {
    name: 'diff of 200 against 200 categories with ten edits',
    goal: 5,
    direction: 'at most',
    unit: 'ms',
    measure: diffOfSchemas,
  },
  ...signInRows,
  {
    name: 'runtime packages',
    goal: 120,
    direction: 'at most',
    unit: 'packages',
    measure: async ({ checkout }) => figureOf([countRuntimePackages(checkout)]),
  },
]

export async function* measureOthers(run: Run): AsyncIterable<Result> {
  for (const row of rows) if (row.name.includes(run.only)) yield await resultOf(row, run)
}

/** Reads of 32 connections, while as many others write. */
async function readBesideAssigns(run: Run) {
  const groups = 200
  await using service = await startService(groups, slowSync(5), run.checkout)
  const round = { connections: 32, order: 'sequential', milliseconds: run.milliseconds } as const
  await assign(service, smallSchema, { ...round, milliseconds: run.warmMilliseconds, atLeast: groups })
  await read(service, { ...round, milliseconds: run.warmMilliseconds })
  const times: number[] = []
  for (let number = 0; number < run.rounds; number += 1) {
    const [reads] = await Promise.all([read(service, round), assign(service, smallSchema, round)])
    times.push(reads.p99)
  }
  return figureOf(times)
}
