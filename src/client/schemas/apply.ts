import { hashOf } from '../../categories/history/document-hash.ts'
import type { Answered, Call } from '../command-line/run.ts'
import { CommandError, refused, untried } from '../failure.ts'
import { type PlanFile, parsePlanFile } from '../files/plan-file.ts'
import { readBytes } from '../files/read-file.ts'
import { clean, formatTime } from '../output/text.ts'
import { describePlace, parsePlace } from '../portals/place.ts'
import { ChangedMeanwhile } from '../portals/portal.ts'
import { type AskedChange, askChange, isSame, judgeChange, namesOf, type PlannedChange, planChange } from './change.ts'
import { conflictOf, mergeChange } from './conflict.ts'
import { formatPlanned, planAll } from './plan.ts'
import { Sources } from './source.ts'

type Applied = Readonly<{ place: string; version: number | null; isWritten: boolean }>

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
      const details = [...error.details, `Written before: ${written.join(', ')}.`]
      throw new CommandError(error.exit, error.message, { ...error, details })
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
    if (portalId !== portal.portalId || (portal.kind === 'enterprise' && url !== portal.url)) {
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
  const { portal, change } = asked
  const { place, before, after } = change
  // Paths whose items are still to be moved would be no paths of a new move.
  const isLeft = itemsOf(call) === 'move' && before.hash === hashOf(after)
  const isResumed = isLeft && (await portal.resume?.(place, before, 'move'))
  return planChange(call, isResumed ? { ...asked, change: { ...change, moves: [] } } : asked)
}

export async function showAndConfirm(
  call: Call,
  changing: readonly PlannedChange[],
  question = `Apply to ${changing.map(({ change }) => describePlace(change.place)).join(', ')}?`,
): Promise<void> {
  for (const one of changing) call.say(`${one.change.place.key}:\n${formatPlanned(call, one)}`)
  for (const { portal, change } of changing) portal.requireChoice?.(change, itemsOf(call))
  await confirm(call, question)
}

/** Asks a person before a change, or for a name that has to be typed before something is deleted; `--yes` answers. */
export async function confirm(call: Call, question: string, name?: string): Promise<void> {
  if (call.has('yes')) return
  const { input } = call.shell
  if (!input?.isTerminal || call.has('no-input')) {
    throw untried('There is no one to ask before the change: give --yes.')
  }
  call.say(name === undefined ? `${question} [y/N]` : `${question} Type ${clean(name)} to go on:`)
  const answer = ((await input.readLine()) ?? '').trim()
  if (name === undefined ? !/^y(es)?$/i.test(answer) : answer !== name) throw refused('Nothing was changed.')
}

/** Makes a change of the schema that is there now. */
export async function applyChange(call: Call, asked: AskedChange): Promise<Applied> {
  const { portal, change } = asked
  const { place, before, after, moves, restored } = change
  const items = itemsOf(call)
  const present = await portal.read(place)
  const isAsPlanned = present.hash === before.hash
  if (present.hash === hashOf(after) && !(isAsPlanned && (moves.length > 0 || restored))) {
    await portal.resume?.(place, present, items)
    return { place: place.key, version: present.version, isWritten: false }
  }
  const made = isAsPlanned ? { ...change, before: present } : call.has('merge') && mergeChange(change, present)
  if (!made) throw conflictOf(change, present)
  // Tests hold again before the write: items, or the schema by a merge, may be others now.
  await judgeChange(call, { ...asked, change: made })
  try {
    const version = await portal.apply(made, { comment: call.text('comment'), items })
    return { place: place.key, version, isWritten: true }
  } catch (error) {
    if (error instanceof ChangedMeanwhile) throw conflictOf(change, await portal.read(place))
    throw error
  }
}

function itemsOf(call: Call): 'move' | 'leave' | undefined {
  if (call.has('move-items') && call.has('leave-items')) throw untried('Give --move-items or --leave-items.')
  if (call.has('move-items')) return 'move'
  return call.has('leave-items') ? 'leave' : undefined
}

export async function propose(call: Call): Promise<Answered> {
  const plans = await findPlans(call)
  const [asked] = plans
    ? await askPlans(call, plans)
    : [await planChange(call, await askChange(call, new Sources(call), namesOf(call)))]
  const { portal, change } = asked!
  if (plans && plans.length > 1) throw untried('propose takes the plan of one place.')
  if (isSame(change)) return { json: { success: true }, text: 'Nothing to do.' }
  const name = call.text('name') ?? `Change of ${formatTime(Date.now())}`
  const id = await portal.propose(change, { name, reviewer: call.text('reviewer'), note: call.text('note') })
  const text = `The draft ${name} is proposed for ${describePlace(change.place)}.`
  return { json: { success: true, id, name }, text }
}
