import { emptySchema, hashOf } from '../../categories/history/document-hash.ts'
import type { Answered, Call } from '../command-line/run.ts'
import { untried } from '../failure.ts'
import { formatTable, formatTime } from '../output/text.ts'
import { describePlace, parsePlace } from '../portals/place.ts'
import { applyChange, confirm, showAndConfirm } from './apply.ts'
import { planChange } from './change.ts'
import { Sources } from './source.ts'

export async function history(call: Call): Promise<Answered> {
  const { portal, place } = await new Sources(call).place(call.positionals[0]!)
  const versions = await portal.listVersions(place)
  const rows = versions.map(({ version, action, modified, modifiedBy, comment, categories }) =>
    [version, formatTime(modified), modifiedBy ?? '', action, categories, comment ?? ''].map(String),
  )
  const heading = ['version', 'time', 'by', 'action', 'categories', 'comment']
  return { json: { place: place.key, versions }, text: formatTable(heading, rows, call.shell) }
}

export async function restore(call: Call): Promise<Answered> {
  const named = parsePlace(call.positionals[0]!)
  if (named.kind !== 'portal' || named.version === undefined) {
    throw untried(`restore needs a version, such as ${named.kind === 'portal' ? named.owner : 'org'}@7.`)
  }
  const { portal, place } = await new Sources(call).place(named.owner)
  const before = await portal.read(place)
  const items = call.text('items') === 'stay' ? 'stay' : 'follow'
  const change = await portal.changeBack(place, before, { version: named.version, items })
  const planned = await planChange(call, { portal, change, only: [], expectations: [] })
  const where = describePlace(place)
  if (planned.isEmpty) return { json: { success: true, version: before.version }, text: 'Nothing to do.' }
  await showAndConfirm(call, [planned], `Restore version ${named.version} of ${where}?`)
  const { version } = await applyChange(call, planned)
  return { json: { success: true, version }, text: `The schema of ${where} is that of version ${named.version} again.` }
}

export async function remove(call: Call): Promise<Answered> {
  const { portal, place } = await new Sources(call).place(call.positionals[0]!)
  const before = await portal.read(place)
  if (before.hash === hashOf(emptySchema)) {
    return { json: { success: true, version: before.version }, text: 'There is no schema.' }
  }
  await confirm(call, `Delete the schema of ${describePlace(place)}?`, place.title)
  const change = { place, before, after: emptySchema, moves: [], vanishing: 'keep' as const }
  const { version } = await applyChange(call, { portal, change, only: [], expectations: [] })
  return { json: { success: true, version }, text: `The schema of ${describePlace(place)} is deleted.` }
}
