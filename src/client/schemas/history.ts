import { emptySchema, hashOf } from '../../categories/history/document-hash.ts'
import type { Answered, Call } from '../command-line/run.ts'
import { untried } from '../failure.ts'
import { clean, formatTable, formatTime } from '../output/text.ts'
import { parsePlace } from '../portals/place.ts'
import type { Place } from '../portals/portal.ts'
import { formatPlan } from './plan.ts'
import { confirm } from './questions.ts'
import { Sources } from './source.ts'

export async function history(call: Call): Promise<Answered> {
  const { portal, place } = await new Sources(call).place(call.positionals[0]!)
  const versions = await portal.listVersions(place)
  const rows = versions.map(({ version, action, modified, modifiedBy, comment, categories }) => [
    String(version),
    formatTime(modified),
    modifiedBy ?? '',
    action,
    String(categories),
    comment ?? '',
  ])
  const heading = ['version', 'time', 'by', 'action', 'categories', 'comment']
  return { json: { place: place.key, versions }, text: formatTable(heading, rows, call.shell) }
}

export async function restore(call: Call): Promise<Answered> {
  const text = call.positionals[0]!
  const named = parsePlace(text)
  if (named.kind !== 'portal' || named.version === undefined) {
    throw untried(`restore needs a version, such as ${named.kind === 'portal' ? named.owner : 'org'}@7.`)
  }
  const { portal, place } = await new Sources(call).place(named.owner)
  const before = await portal.read(place)
  const items = call.text('items') === 'stay' ? ('stay' as const) : ('follow' as const)
  const asked = { place, before, version: named.version, items }
  const plan = await portal.planRestore(asked)
  if (plan.changes.length === 0 && plan.impact.moved === 0) {
    return { json: { success: true, version: before.version }, text: 'Nothing to do.' }
  }
  call.say(formatPlan(call, plan))
  const { renamed, moved, merged } = plan.summary
  portal.requireChoice?.(renamed + moved + merged > 0, itemsOf(call))
  await confirm(call, `Restore version ${named.version} of ${describePlace(place)}?`)
  const options = { comment: call.text('comment'), items: itemsOf(call) }
  const version = await portal.restore(asked, options)
  return {
    json: { success: true, version },
    text: `The schema of ${describePlace(place)} is that of version ${named.version} again.`,
  }
}

export async function remove(call: Call): Promise<Answered> {
  const { portal, place } = await new Sources(call).place(call.positionals[0]!)
  const before = await portal.read(place)
  if (before.hash === hashOf(emptySchema)) {
    return { json: { success: true, version: before.version }, text: 'There is no schema.' }
  }
  await confirm(call, `Delete the schema of ${describePlace(place)}?`, place.title)
  const version = await portal.delete(place, before)
  return { json: { success: true, version }, text: `The schema of ${describePlace(place)} is deleted.` }
}

/** Choice of `--move-items` and `--leave-items`. */
export function itemsOf(call: Call): 'move' | 'leave' | undefined {
  if (call.has('move-items') && call.has('leave-items')) throw untried('Give --move-items or --leave-items.')
  if (call.has('move-items')) return 'move'
  return call.has('leave-items') ? 'leave' : undefined
}

/** A place in sentences. */
export function describePlace({ key, title }: Pick<Place, 'key' | 'title'>): string {
  return key === 'org' ? `the organization ${clean(title)}` : `the group ${clean(title)}`
}
