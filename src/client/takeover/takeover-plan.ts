import type { CategorySchema } from '../../categories/schema.ts'
import { isObject } from '../../json-text.ts'
import type { Call } from '../command-line/run.ts'
import { untried } from '../failure.ts'
import { parseJson } from '../files/file.ts'
import { digestOf } from '../files/plan-file.ts'
import { readBytes } from '../files/read-file.ts'

/** A takeover, as a file keeps it between review and apply. No token is in it. */
export interface TakeoverPlan {
  readonly cartularyTakeover: 1
  /** SHA-256 of the other members, sorted by name, without white space. */
  readonly digest: string
  readonly from: PlannedPortal
  readonly to: PlannedPortal
  /** Schema of the organization before and after; null where nothing changes. */
  readonly schema: Readonly<{ before: CategorySchema; after: CategorySchema }> | null
  readonly groups: readonly Readonly<{ id: string; title: string }>[]
  readonly items: 'org' | 'groups' | 'none'
  /** Number of items of the source when the plan was made. */
  readonly total: number
  /** Users of the target by those of the source. */
  readonly owners: Readonly<Record<string, string>>
  /** User of the target who gets what belongs to others. */
  readonly owner: string
  readonly keepIds: boolean
  readonly data: boolean
  readonly share: boolean
  readonly members: boolean
  readonly made: string
}

export interface PlannedPortal {
  readonly profile: string
  readonly url: string
  /** Decides which portal it is, whatever its address. */
  readonly portalId: string
  readonly kind: 'cartulary' | 'online' | 'enterprise'
}

export function sealTakeover(plan: Omit<TakeoverPlan, 'cartularyTakeover' | 'digest'>): TakeoverPlan {
  const sealed = { cartularyTakeover: 1 as const, ...plan }
  return { ...sealed, digest: digestOf(sealed) }
}

/** The takeover of a file; one that was altered or cut is refused. */
export async function readTakeover(call: Call): Promise<TakeoverPlan> {
  const path = call.positionals[0]!
  const value = parseJson(new TextDecoder().decode(await readBytes(call, path)))
  if (!isObject(value) || !('cartularyTakeover' in value)) {
    throw untried(`${path} is no plan of a takeover: cartulary takeover plan -o ${path} makes one.`)
  }
  if (value['cartularyTakeover'] !== 1) throw untried(`${path} is of another version of cartulary.`)
  const { digest, ...plan } = value
  if (digest !== digestOf(plan)) throw untried(`${path} has been altered since it was made; plan again.`)
  return value as unknown as TakeoverPlan
}
