/** How each figure comes about. Service and floor take turns, so that whatever else the machine does meets both. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import type { Outcome } from './load.ts'
import { listRuntimePackages } from './packages.ts'
import { openPostgres } from './postgres.ts'
import { type Figure, figureOf, medianOf, NotMeasured, type Run } from './result.ts'
import {
  type Environment,
  Folder,
  openService,
  processorTime,
  program,
  residentBytes,
  type Server,
  startFloor,
  startService,
} from './servers.ts'
import { slowSync } from './slow-sync.ts'
import { assign, putForReading, type Round, read, readOne } from './work.ts'

/** One kind of work, for 200 groups in turn. */
interface Work {
  readonly schema: string
  readonly connections: number
  /** Every wait for the disk takes so many milliseconds longer. */
  readonly disk?: { readonly slowerBy: number }
  /** Where the service keeps things; the floor is always SQLite. */
  readonly database?: 'PostgreSQL'
}

type Measure = (run: Run) => Promise<Figure>

const groups = 200

export function assignAgainstFloor(work: Work): Measure {
  return async (run) => {
    await using servers = await startBoth(work)
    const { floor, service } = servers
    const { warm, round } = roundsOf(run, work)
    await assign(floor, work.schema, warm)
    await assign(service, work.schema, warm)
    return await alternate(
      run,
      () => assign(service, work.schema, round),
      () => assign(floor, work.schema, round),
    )
  }
}

export function readAgainstFloor(work: Work): Measure {
  return async (run) => {
    await using servers = await startBoth(work)
    const { floor, service } = servers
    const { warm, round } = roundsOf(run, work)
    await putForReading(floor, work.schema, warm)
    await assign(service, work.schema, warm)
    await requireSameAnswers(service, floor)
    await read(floor, warm)
    await read(service, warm)
    return await alternate(
      run,
      () => read(service, round),
      () => read(floor, round),
    )
  }
}

/** The slowest of a hundred reads, while as many connections write. */
export function readBesideWrites(work: Work): Measure {
  return async (run) => {
    await using service = await startService(groups, slowSync(work.disk?.slowerBy))
    const { warm, round } = roundsOf(run, work)
    await assign(service, work.schema, warm)
    await read(service, warm)
    const times: number[] = []
    for (let number = 0; number < run.rounds; number += 1) {
      const [reads] = await Promise.all([read(service, round), assign(service, work.schema, round)])
      times.push(reads.p99)
    }
    return figureOf(times)
  }
}

/** Processor time of the server, all of its threads, for each request. */
export function assignCost(work: Work): Measure {
  return async (run) => {
    await using service = await startService(groups)
    if (processorTime(service) === undefined) throw new NotMeasured('This system does not tell it as Linux does.')
    const { warm, round } = roundsOf(run, work)
    await assign(service, work.schema, warm)
    const costs: number[] = []
    for (let number = 0; number < run.rounds; number += 1) {
      const before = processorTime(service)!
      const { requests } = await assign(service, work.schema, round)
      costs.push((processorTime(service)! - before) / requests)
    }
    return figureOf(costs)
  }
}

/** From nothing to the line that it is ready, with a database that is there: as after every restart but the first. */
export async function coldStart({ rounds }: Run): Promise<Figure> {
  using folder = new Folder()
  await (await openAsOperator(folder.environment))[Symbol.asyncDispose]()
  const times: number[] = []
  for (let number = 0; number < rounds; number += 1) {
    const begun = performance.now()
    await using _service = await openAsOperator(folder.environment)
    times.push((performance.now() - begun) / 1000)
  }
  return figureOf(times)
}

/** From nothing to the line that says where it is: a server in memory, with its organization and administrator. */
export async function ephemeralStart({ rounds }: Run): Promise<Figure> {
  const times: number[] = []
  for (let number = 0; number < rounds; number += 1) {
    const begun = performance.now()
    const server = spawn(process.execPath, [program, '--ephemeral', '--json'], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = await once(createInterface(server.stdout), 'line')
    times.push((performance.now() - begun) / 1000)
    await (await fetch(`${JSON.parse(String(line)).api}/info?f=json`)).text()
    server.kill()
    await once(server, 'close')
  }
  return figureOf(times)
}

/** What a server holds that has answered one request. */
export async function idleMemory({ rounds, idleSeconds }: Run): Promise<Figure> {
  using folder = new Folder()
  const sizes: number[] = []
  for (let number = 0; number < Math.min(rounds, 3); number += 1) {
    await using service = await openAsOperator(folder.environment)
    await (await fetch(`http://127.0.0.1:${service.port}/sharing/rest/info?f=json`)).text()
    await delay(idleSeconds * 1000)
    const bytes = residentBytes(service)
    if (bytes === undefined) throw new NotMeasured('This system does not tell it as Linux does.')
    sizes.push(bytes / 1e6)
  }
  return figureOf(sizes)
}

/** Packages that a server needs to run on this system. */
export async function runtimePackages(): Promise<Figure> {
  return figureOf([listRuntimePackages().length])
}

/** On whatever cores there are: nothing is compared here. */
function openAsOperator(environment: Environment) {
  return openService(environment, 'all')
}

async function startBoth({ disk, database }: Work) {
  const stack = new AsyncDisposableStack()
  const environment = slowSync(disk?.slowerBy)
  const floor = stack.use(await startFloor(groups, environment))
  const postgres = database && stack.use(await openPostgres())
  const service = stack.use(await startService(groups, { ...environment, ...postgres?.environment }))
  return { floor, service, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

function roundsOf(run: Run, { connections }: Work): { readonly warm: Round; readonly round: Round } {
  const round = { connections, order: 'in turn' } as const
  return {
    // Every group has a document afterwards.
    warm: { ...round, milliseconds: run.warmMilliseconds, atLeast: groups },
    round: { ...round, milliseconds: run.milliseconds },
  }
}

/** Both hand out the same number of bytes, or nothing is compared. */
async function requireSameAnswers(service: Server, floor: Server): Promise<void> {
  const [served, kept] = await Promise.all([readOne(service), readOne(floor)])
  if (served.length !== kept.length) {
    throw new Error(`The floor answers ${kept.slice(0, 200)}, the service ${served.slice(0, 200)}`)
  }
}

/** The ratio of each round, in which one comes right after the other. */
/** What the service does a second, divided by what stands beside it does: in turn, so that whatever else the machine does meets both. */
export async function alternate(
  { rounds }: Run,
  service: () => Promise<Outcome>,
  floor: () => Promise<Outcome>,
): Promise<Figure> {
  const pairs: { readonly floor: Outcome; readonly service: Outcome }[] = []
  for (let number = 0; number < rounds; number += 1) pairs.push({ floor: await floor(), service: await service() })
  const effort = Math.max(...pairs.flatMap((pair) => [pair.floor.effort, pair.service.effort]))
  return {
    ...figureOf(pairs.map((pair) => pair.service.perSecond / pair.floor.perSecond)),
    parts: {
      service: medianOf(pairs.map((pair) => pair.service.perSecond)),
      floor: medianOf(pairs.map((pair) => pair.floor.perSecond)),
    },
    ...(effort > fullEffort && { remark: 'The load took a whole core: servers may be faster than this.' }),
  }
}

/** Of one core: beyond that, the load is what is measured. */
const fullEffort = 0.9
