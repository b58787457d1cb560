import type { Config } from '../../../src/config.ts'
import type { DependencyOverrides } from '../../../src/dependencies.ts'
import { countedLimits } from '../../../src/limits.ts'
import { random } from '../../../src/secrets/random.ts'
import type { Seal } from '../../../src/secrets/sealed.ts'
import { createPortalKey } from '../../../src/secrets/signature.ts'
import type { Server } from '../../../src/server.ts'

/** Dependencies that each test gives to its servers. */
export type World = Required<Omit<DependencyOverrides, 'passwords' | 'wait'>>

const reality: World = { now: Date.now, random, createKey: createPortalKey }

/** Dependencies of servers that outlive a test: each call is passed on to those of the present test. */
export class ChangingWorld implements World {
  #world = reality

  change(world: Partial<World>): void {
    this.#world = { ...reality, ...world }
  }

  readonly now = (): number => this.#world.now()
  readonly createKey = (seal: Seal) => this.#world.createKey(seal)
  readonly random: World['random'] = {
    id: () => this.#world.random.id(),
    shortId: () => this.#world.random.shortId(),
    token: () => this.#world.random.token(),
    hashToken: random.hashToken,
  }
}

/** Servers on one database that serve one test after the other: starting them takes longer than most tests. */
export interface ReusedServers {
  /** As one server, on an empty database. Closing that server calls `end`, and these go on. */
  begin(world: Partial<World>, end: () => Promise<void>): Promise<Server>
  /** Whether the next test finds them as the first one did. */
  isAsNew(): boolean
  close(): Promise<void>
}

/**
 * Whether the server has counted anything that a test may count again; refusals that were counted are written later, too. Of
 * requests that wait, as they do on a busy machine, nothing is left once they are answered.
 */
export function hasReachedLimit({ dependencies: { limitCounts } }: Server): boolean {
  return countedLimits.some((limit) => limit !== 'requestsWaiting' && limitCounts.of(limit) > 0)
}

/** Kept for the next test that wants the same settings. */
const maxSpare = 4
/** The one that was used last is the last. */
const spare: { readonly key: string; readonly servers: ReusedServers }[] = []

/** Servers with these settings: spare ones, or new ones. */
export async function reuseServers(
  settings: Config,
  world: Partial<World>,
  open: () => Promise<ReusedServers>,
): Promise<Server> {
  const key = JSON.stringify(settings)
  const place = spare.findLastIndex((one) => one.key === key)
  const { servers } = place === -1 ? { servers: await open() } : spare.splice(place, 1)[0]!
  return servers.begin(world, async () => {
    if (!servers.isAsNew()) return servers.close()
    spare.push({ key, servers })
    if (spare.length > maxSpare) await spare.shift()!.servers.close()
  })
}
