import { hashOf } from '../../categories/history/document-hash.ts'
import type { Answered, Call } from '../command-line/run.ts'
import { CommandError, untried } from '../failure.ts'
import { type PlanFile, parsePlanFile } from '../files/plan-file.ts'
import { readBytes } from '../files/read-file.ts'
import { parsePlace } from '../portals/place.ts'
import { ChangedMeanwhile } from '../portals/portal.ts'
import { type AskedChange, askChange, judgeChange, namesOf, type PlannedChange, planChange } from './change.ts'
import { conflictOf, mergeChange } from './conflict.ts'
import { describePlace, itemsOf } from './history.ts'
import { formatPlanned, planAll } from './plan.ts'
import { confirm } from './questions.ts'
import { Sources } from './source.ts'

/** Outcome of an apply at one place. */
interface Applied {
  readonly place: string
  readonly version: number | null
  /** Whether something was written. */
  readonly isWritten: boolean
}

export async function apply(call: Call): Promise<Answered> {
  itemsOf(call)
  const plans = await findPlans(call)
  const asked = plans ? await askPlans(call, plans) : await planAndAsk(call)
  const applied: Applied[] = []
  for (const one of asked) {
    try {
      applied.push(await applyChange(call, one))
    } catch (error) {
      const written = applied.filter(({ isWritten }) => isWritten).map(({ place }) => place)
      if (!(error instanceof CommandError) || written.length === 0) throw error
      const { exit, message, details, members } = error
      throw new CommandError(exit, message, {
        details: [...details, `Written before: ${written.join(', ')}.`],
        members,
      })
    }
  }
  const lines = applied.map(({ place, version, isWritten }) => {
    if (!isWritten) return `${place}: Nothing to do.`
    return version === null ? `${place}: written.` : `${place}: version ${version}.`
  })
  const isAll = call.has('all') || (plans !== undefined && plans.length > 1)
  const results = applied.map(({ place, version }) => ({ place, version }))
  return { json: { success: true, ...(isAll ? { places: results } : results[0]) }, text: lines.join('\n') }
}

/** The plans of the file that is given alone; undefined for a schema. */
async function findPlans(call: Call): Promise<readonly PlanFile[] | undefined> {
  const [path] = call.positionals
  if (path === undefined || call.text('to') !== undefined) return undefined
  if (parsePlace(path).kind !== 'file') return undefined
  const bytes = await readBytes(call, path)
  const plans = parsePlanFile(new TextDecoder().decode(bytes), path)
  if (!plans) throw untried(`${path} is no plan file; a schema needs --to <place>.`)
  const fixed = ['only', 'moves', 'vanishing', 'accept-suggestions', 'all'].find((option) => call.has(option))
  if (fixed !== undefined) throw untried(`--${fixed} is of a plan, and ${path} is one already.`)
  return plans
}

/** The changes of plan files, which have to be of this portal. */
async function askPlans(call: Call, plans: readonly PlanFile[]): Promise<readonly AskedChange[]> {
  const { portal, find } = await new Sources(call).portal()
  const asked: AskedChange[] = []
  for (const { portalId, portal: url, place: key, base, result, moves, vanishing, only, tests } of plans) {
    // Every ArcGIS Enterprise has the same id.
    const isElsewhere = portal.kind === 'enterprise' && url !== portal.url
    if (portalId !== portal.portalId || isElsewhere) {
      throw untried(`The plan is for ${url}, organization ${portalId}, and ${portal.url} is ${portal.portalId}.`)
    }
    const before = { schema: base.document, hash: base.hash, version: base.version }
    const change = { place: await find(key), before, after: result.document, moves, vanishing }
    asked.push({ portal, change, only, expectations: tests })
  }
  return asked
}

async function planAndAsk(call: Call): Promise<readonly AskedChange[]> {
  const isAll = call.has('all')
  const planned = isAll ? await planAll(call) : [await planOne(call)]
  const changing = planned.filter(({ isEmpty }) => !isEmpty)
  if (changing.length > 0) await showAndConfirm(call, changing)
  return planned
}

async function planOne(call: Call): Promise<PlannedChange> {
  const asked = await askChange(call, new Sources(call), namesOf(call))
  const isResumed = await resumeMoves(call, asked)
  return planChange(isResumed ? { ...asked, change: { ...asked.change, moves: [] } } : asked)
}

/** Whether the schema is there already, and items that an interrupted apply has left have now been moved. */
async function resumeMoves(call: Call, { portal, change }: AskedChange): Promise<boolean> {
  const { place, before, after } = change
  if (itemsOf(call) !== 'move' || before.hash !== hashOf(after)) return false
  return (await portal.resume?.(place, before)) === true
}

async function showAndConfirm(call: Call, changing: readonly PlannedChange[]): Promise<void> {
  for (const one of changing) call.say(`${one.change.place.key}:\n${formatPlanned(call, one)}`)
  for (const { portal, change } of changing) portal.requireChoice?.(change.moves.length > 0, itemsOf(call))
  await confirm(call, `Apply to ${changing.map(({ change }) => describePlace(change.place)).join(', ')}?`)
}

/** Makes a change of the schema that is there now. */
async function applyChange(call: Call, asked: AskedChange): Promise<Applied> {
  const { portal, change } = asked
  const { place } = change
  const present = await portal.read(place)
  if (present.hash === hashOf(change.after) && (change.moves.length === 0 || present.hash !== change.before.hash)) {
    await resumeMoves(call, { ...asked, change: { ...change, before: present } })
    if (itemsOf(call) === undefined && portal.isInterrupted?.(place, present)) {
      call.say(`An interrupted change of ${place.key} may have left items: --move-items gives them their new paths.`)
    }
    return { place: place.key, version: present.version, isWritten: false }
  }
  const made =
    present.hash === change.before.hash
      ? { ...change, before: present }
      : call.has('merge') && mergeChange(change, present)
  if (!made) throw conflictOf(change, present)
  // Tests hold again before the write: items, or the schema by a merge, may be others now.
  await judgeChange({ ...asked, change: made })
  try {
    const version = await portal.apply(made, { comment: call.text('comment'), items: itemsOf(call) })
    return { place: place.key, version, isWritten: true }
  } catch (error) {
    if (error instanceof ChangedMeanwhile) throw conflictOf(change, await portal.read(place))
    throw error
  }
}

export async function propose(call: Call): Promise<Answered> {
  const plans = await findPlans(call)
  const [asked] = plans
    ? await askPlans(call, plans)
    : [await planChange(await askChange(call, new Sources(call), namesOf(call)))]
  const { portal, change } = asked!
  if (plans && plans.length > 1) throw untried('propose takes the plan of one place.')
  if (change.before.hash === hashOf(change.after) && change.moves.length === 0) {
    return { json: { success: true }, text: 'Nothing to do.' }
  }
  const name = call.text('name') ?? `Change of ${new Date().toISOString().slice(0, 16).replace('T', ' ')}`
  const proposal = { name, reviewer: call.text('reviewer'), note: call.text('note') }
  const id = await portal.propose(change, proposal)
  return {
    json: { success: true, id, name },
    text: `The draft ${name} is proposed for ${describePlace(change.place)}.`,
  }
}
