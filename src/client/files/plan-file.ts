import { canonicalText } from '../../categories/canonical.ts'
import type { Vanishing } from '../../categories/change/accept-paths.ts'
import type { SchemaPlan } from '../../categories/change/plan.ts'
import { hashOf } from '../../categories/history/document-hash.ts'
import type { Move } from '../../categories/moves.ts'
import { type CategorySchema, copyTrees } from '../../categories/schema.ts'
import { sha256Of } from '../../digest.ts'
import { isObject } from '../../json-text.ts'
import { untried } from '../failure.ts'
import { parseJson } from './file.ts'

/** A plan, as a file keeps it between review and apply. No token is in it. */
export interface PlanFile extends Pick<SchemaPlan, 'changes' | 'summary' | 'impact'> {
  readonly cartularyPlan: 1
  /** SHA-256 of the other members, sorted by name, without white space. */
  readonly digest: string
  readonly portal: string
  /** Decides which portal it is, whatever its address. */
  readonly portalId: string
  readonly kind: string
  /** `org` or `group:<id>`. */
  readonly place: string
  readonly empty: boolean
  readonly base: KeptSchema & { readonly version: number | null }
  readonly result: KeptSchema
  readonly moves: readonly Move[]
  readonly vanishing: Vanishing
  readonly only: readonly string[]
  readonly tests: readonly object[]
  readonly made: string
}

type KeptSchema = Readonly<{ hash: string; document: CategorySchema }>

export function sealPlan(plan: Omit<PlanFile, 'cartularyPlan' | 'digest'>): PlanFile {
  const sealed = { cartularyPlan: 1 as const, ...plan }
  return { ...sealed, digest: digestOf(sealed) }
}

export function keptSchema(schema: CategorySchema): KeptSchema {
  return { hash: hashOf(schema), document: JSON.parse(canonicalText(schema)) }
}

/** One plan as it is, several in one object. */
export function formatPlanFile(plans: readonly PlanFile[], isAll: boolean): string {
  return `${JSON.stringify(isAll ? { cartularyPlans: 1, plans } : plans[0], null, 2)}\n`
}

/** The plans of a text; undefined where it is no plan file. One that was altered or cut is refused. */
export function parsePlanFile(text: string, path: string): readonly PlanFile[] | undefined {
  if (!/"cartularyPlans?"/.test(text)) return undefined
  const value = parseJson(text)
  if (value === undefined) throw untried(`${path} is no whole plan file.`)
  if (!isObject(value) || !('cartularyPlan' in value || 'cartularyPlans' in value)) return undefined
  const isAll = 'cartularyPlans' in value
  if ((isAll ? value['cartularyPlans'] : value['cartularyPlan']) !== 1) {
    throw untried(`${path} is a plan file of another version of cartulary.`)
  }
  const plans = isAll ? value['plans'] : [value]
  if (!Array.isArray(plans) || !plans.every(isSealed)) {
    throw untried(`${path} has been altered since it was made; plan again.`)
  }
  return plans
}

function isSealed(value: unknown): value is PlanFile {
  if (!isObject(value) || value['cartularyPlan'] !== 1) return false
  const { digest, ...plan } = value
  const isWhole = typeof plan['place'] === 'string' && isKept(plan['base']) && isKept(plan['result'])
  const areLists = [plan['moves'], plan['only'], plan['tests']].every(Array.isArray)
  return digest === digestOf(plan) && isWhole && areLists
}

/** Whether a schema is that of its hash. */
function isKept(value: unknown): boolean {
  if (!isObject(value) || !isObject(value['document'])) return false
  const { categorySchema } = value['document']
  const copied = copyTrees(Array.isArray(categorySchema) ? categorySchema : [categorySchema])
  return !('reasons' in copied) && hashOf(copied.schema) === value['hash']
}

/** SHA-256 of the members of a plan, sorted by name, without white space. */
export function digestOf(plan: object): string {
  const sorted = (_: string, value: unknown) =>
    isObject(value)
      ? Object.fromEntries(
          Object.keys(value)
            .sort()
            .map((name) => [name, value[name]]),
        )
      : value
  return `sha256:${sha256Of(JSON.stringify(plan, sorted))}`
}
