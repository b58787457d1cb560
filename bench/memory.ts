/** Memory of a server without the files that it maps: idle, and after each kind of work. */
import { setTimeout as delay } from 'node:timers/promises'
import { ownBytes } from './processes.ts'
import { figureOf, NotMeasured, type Result, type Row, type Run, resultOf } from './result.ts'
import { Folder, openService, type Running, type Server, startService } from './servers.ts'
import { assign, largeSchema, read, smallSchema } from './work.ts'

const groups = 200
const sampleInterval = 1_000

type Work = (server: Server, milliseconds: number) => Promise<unknown>

const round = { connections: 32, order: 'sequential', atLeast: groups } as const
const reading: Work = async (server, milliseconds) => {
  await assign(server, largeSchema, { ...round, milliseconds: 0 })
  await read(server, { ...round, milliseconds })
}
const assigning =
  (schema: string, connections: number): Work =>
  (server, milliseconds) =>
    assign(server, schema, { ...round, connections, milliseconds })

const rows: readonly Row[] = [
  { name: 'memory: idle', ...atMost(150), measure: idle },
  { name: 'memory: after reads, 200 categories', ...atMost(220), measure: after(reading) },
  { name: 'memory: after assigns, 14 categories', ...atMost(220), measure: after(assigning(smallSchema, 32)) },
  { name: 'memory: after assigns, 200 categories', ...atMost(220), measure: after(assigning(largeSchema, 32)) },
  {
    name: 'memory: after assigns, 200 categories, one connection',
    ...atMost(220),
    measure: after(assigning(largeSchema, 1)),
  },
]

function atMost(goal: number) {
  return { goal, direction: 'at most', unit: 'MB' } as const
}

export async function* measureMemory(run: Run): AsyncIterable<Result> {
  for (const row of rows) if (row.name.includes(run.only)) yield await resultOf(row, run)
}

/** Memory after a start with an existing database, and one answer. */
async function idle({ rounds, idleSeconds, checkout }: Run) {
  using folder = new Folder()
  const sizes: number[] = []
  // The first start creates the database.
  for (let number = 0; number <= Math.min(rounds, 3); number += 1) {
    await using service = await openService(folder.environment, 'first', checkout)
    await (await fetch(`http://127.0.0.1:${service.port}/sharing/rest/info?f=json`)).text()
    await delay(idleSeconds * 1_000)
    if (number > 0) sizes.push(megabytesOf(service))
  }
  return figureOf(sizes)
}

/** Memory right after the load; the remark has the maximum during the load, and the memory once it is idle again. */
function after(work: Work): Row['measure'] {
  return async ({ loadSeconds, idleSeconds, checkout }) => {
    await using server = await startService(groups, {}, checkout)
    let max = megabytesOf(server)
    const sampling = setInterval(() => {
      max = Math.max(max, megabytesOf(server))
    }, sampleInterval)
    await work(server, loadSeconds * 1_000).finally(() => clearInterval(sampling))
    const size = megabytesOf(server)
    await delay(idleSeconds * 1_000)
    const remark = `At most ${Math.max(max, size).toFixed(0)} MB, ${megabytesOf(server).toFixed(0)} after ${idleSeconds} s without load.`
    return { ...figureOf([size]), remark }
  }
}

function megabytesOf(server: Running): number {
  const bytes = ownBytes(server)
  if (bytes === undefined) throw new NotMeasured('Only Linux has the memory of another process like this.')
  return bytes / 1e6
}
