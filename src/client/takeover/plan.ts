import { dirname, join } from 'node:path'
import { diffSchemas } from '../../categories/diff/diff.ts'
import { emptySchema, hashOf } from '../../categories/history/document-hash.ts'
import { listPaths } from '../../categories/schema-paths.ts'
import { formatCsvRow, guardFormula } from '../../csv-text.ts'
import { readTable } from '../../schema-files/csv/table.ts'
import * as files from '../../schema-files/decode.ts'
import type { Answered, Call } from '../command-line/run.ts'
import { CommandError, refused, untried } from '../failure.ts'
import { requireWritable, writeWhole } from '../files/file.ts'
import { readBytes } from '../files/read-file.ts'
import { type Answer, PortalRefused } from '../network/connection.ts'
import { listAll, textOf, textsOf } from '../network/facts.ts'
import type { OpenPortal } from '../portals/open.ts'
import { mergeChange } from '../schemas/conflict.ts'
import { type BothPortals, describePortal, openBoth } from './both-portals.ts'
import { findGroups, readPeople } from './take-groups.ts'
import { findTaken, orRefusal } from './take-items.ts'
import { sealTakeover, type TakeoverPlan } from './takeover-plan.ts'

/** Rows of a table of owners (chosen). */
const maxOwners = 100_000

/** Says what a takeover would make, and writes it into a file; both portals are only read. */
export async function plan(call: Call): Promise<Answered> {
  const [from, to, output] = [call.text('from'), call.text('to'), call.text('output')]
  if (from === undefined || to === undefined) throw untried('takeover plan needs --from <profile> --to <profile>.')
  requireWritable(output)
  const both = await openBoth(call, from, to)
  const { source, target } = both
  const users = await listUsers(source)
  const owners = await mapOwners(call, both, users)
  const groups = await chooseGroups(call, source)
  const planned: Omit<TakeoverPlan, 'cartularyTakeover' | 'digest' | 'total'> = {
    from: describePortal(source.portal, from),
    to: describePortal(target.portal, to),
    schema: await planSchema(call, both),
    groups: groups.map((group) => ({ id: textOf(group['id']), title: textOf(group['title']) })),
    items: (call.text('items') ?? 'org') as TakeoverPlan['items'],
    ...owners,
    ...{
      keepIds: call.has('keep-ids'),
      data: call.has('data'),
      share: call.has('share'),
      members: call.has('members'),
    },
    made: new Date().toISOString(),
  }
  const counted = await countItems(both, planned)
  const sealed = sealTakeover({ ...planned, total: counted.items })
  const thereGroups = await countGroups(both, sealed)
  if (output !== undefined) {
    writeWhole(output, `${JSON.stringify(sealed, null, 2)}\n`)
    const people = join(dirname(output), 'users.csv')
    writeWhole(people, await formatUsers(source, users, sealed))
    call.say(
      `${output} is a plan; cartulary takeover apply ${output} does it. ${people} has the members of the source.`,
    )
  }
  const { unknownPaths, ofOthers, items, present } = counted
  const changes = sealed.schema ? diffSchemas(sealed.schema.before, sealed.schema.after, []).changes.length : 0
  const lines = [
    `Changes of the schema of the organization: ${changes}.`,
    `Groups: ${groups.length}, of which ${thereGroups} are there.`,
    `Items: ${items}, of which ${present} are there.`,
    ...ofOthers.map(
      ([name, count]) => `${count} items of ${name}, whom the target does not know, go to ${sealed.owner}.`,
    ),
    ...unknownPaths.map(([path, count]) => `${count} items lose ${path}, which the schema does not have.`),
    notTaken,
  ]
  const summary = { groups: groups.length, groupsPresent: thereGroups, items, present, schemaChanges: changes }
  const json = { summary, unknownOwners: Object.fromEntries(ofOthers), unknownPaths: Object.fromEntries(unknownPaths) }
  return { json: { ...json, notTaken, output }, text: lines.join('\n') }
}

const notTaken =
  'Not taken: files, data of services, folders, thumbnails, comments, ratings, relations, collaborations, apps, passwords.'

async function listUsers({ portal }: OpenPortal): Promise<readonly Answer[]> {
  return listAll(portal.connection, `/portals/${portal.portalId}/users`, 'users')
}

/** Users of the target for those of the source: by a table, else by the same name. */
async function mapOwners(call: Call, { target }: BothPortals, users: readonly Answer[]) {
  const known = new Map(
    (await listUsers(target)).map(({ username }) => [textOf(username).toLowerCase(), textOf(username)]),
  )
  const owner = call.text('owner') ?? target.facts.user.username
  if (!known.has(owner.toLowerCase())) throw refused(`--owner: the target has no user ${owner}.`)
  const owners = new Map(
    users.flatMap(({ username }): [string, string][] => {
      const same = known.get(textOf(username).toLowerCase())
      return same === undefined ? [] : [[textOf(username), same]]
    }),
  )
  const unknown: string[] = []
  for (const { row, source, given } of await readOwners(call)) {
    const user = known.get(given.toLowerCase())
    if (user === undefined) unknown.push(`Row ${row}: the target has no user ${given}.`)
    else owners.set(source, user)
  }
  if (unknown.length > 0) {
    throw new CommandError(1, `${unknown.length} rows of --owners are refused; nothing was written.`, {
      details: unknown,
    })
  }
  return { owners: Object.fromEntries(owners), owner: known.get(owner.toLowerCase())! }
}

async function readOwners(call: Call) {
  const path = call.text('owners')
  if (path === undefined) return []
  const decoded = files.decodeFile(await readBytes(call, path), undefined)
  const table =
    'problems' in decoded ? decoded : readTable(decoded.value, { delimiter: undefined, trim: true, maxRows: maxOwners })
  if ('problems' in table) throw untried(`${path} is not read: ${table.problems.join(' ')}`)
  const [heading, ...rows] = table.value
  const names = heading?.cells.map((name) => name.trim().toLowerCase()) ?? []
  const [source, target] = [names.indexOf('source'), names.indexOf('target')]
  if (source < 0 || target < 0) throw untried(`${path} needs the columns source and target.`)
  return rows.map(({ row, cells }) => ({ row, source: cells[source] ?? '', given: cells[target] ?? '' }))
}

async function chooseGroups(call: Call, { portal }: OpenPortal): Promise<readonly Answer[]> {
  const wanted = call.text('groups') ?? 'all'
  if (wanted === 'none') return []
  const listed = await listAll(portal.connection, '/community/groups', 'results', { q: `orgid:${portal.portalId}` })
  const own = new Map(
    listed.filter(({ orgId }) => orgId === portal.portalId).map((group) => [textOf(group['id']), group]),
  )
  if (wanted === 'all') return [...own.values()]
  return wanted.split(',').map((id) => {
    const group = own.get(id.trim())
    if (!group) throw refused(`--groups: ${portal.url} has no group ${id.trim()} that you see.`)
    return group
  })
}

/** The change that gives the organization of the target the schema of the source. */
async function planSchema(call: Call, { source, target }: BothPortals): Promise<TakeoverPlan['schema']> {
  const [from, place] = [await source.find('org'), await target.find('org')]
  const { schema: after } = await source.portal.read(from)
  const present = await target.portal.read(place)
  if (after.categorySchema.length === 0 || hashOf(after) === present.hash) return null
  const before = present.schema
  if (before.categorySchema.length === 0 || call.has('replace-schema')) return { before, after }
  const base = { schema: emptySchema, hash: hashOf(emptySchema), version: null }
  const change = { place, before: base, after, moves: [], vanishing: 'keep' } as const
  const merged = call.has('merge-schema') ? mergeChange(change, present) : undefined
  if (merged) return hashOf(merged.after) === present.hash ? null : { before, after: merged.after }
  const diff = diffSchemas(before, after, [])
  const problem = call.has('merge-schema') ? 'Both schemas touch the same categories' : 'The target has another schema'
  const details = diff.changes.map((one) => `${one.op} ${one.path}`)
  throw new CommandError(4, `${problem}: --replace-schema or --merge-schema says what is to be.`, { details })
}

/** Reads all items once: how many there are, which the target has, whose owners and which paths it lacks. */
async function countItems(both: BothPortals, planned: Omit<TakeoverPlan, 'cartularyTakeover' | 'digest' | 'total'>) {
  const { source, target } = both
  const schema = planned.schema?.after ?? (await target.portal.read(await target.find('org'))).schema
  const known = new Set(listPaths(schema))
  const [paths, others, seen] = [new Map<string, number>(), new Map<string, number>(), new Set<string>()]
  const add = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  let [items, present] = [0, 0]
  const places = planned.items === 'org' ? ['org'] : planned.groups.map(({ id }) => `group:${id}`)
  for (const name of planned.items === 'none' ? [] : places) {
    for await (const page of source.portal.items.listResults(await source.find(name), new Set(), 0)) {
      const fresh = page.filter(({ id }) => !seen.has(textOf(id)))
      if (fresh.length === 0) continue
      items += fresh.length
      for (const { id, owner, categories } of fresh) {
        if (places.length > 1) seen.add(textOf(id))
        if (!Object.hasOwn(planned.owners, textOf(owner))) add(others, textOf(owner))
        for (const path of textsOf(categories)) if (!known.has(path)) add(paths, path)
      }
      const ids = fresh.map(({ id }) => textOf(id))
      present += (await findTaken(both, planned as TakeoverPlan, ids)).size
    }
  }
  return { items, present, unknownPaths: [...paths].toSorted(), ofOthers: [...others].toSorted() }
}

async function countGroups(both: BothPortals, planned: TakeoverPlan): Promise<number> {
  let present = 0
  for (const { id } of planned.groups) if ((await findGroups(both, planned, id)).length > 0) present += 1
  return present
}

/** All members of the source, for whom accounts may be made: no account is made here. */
async function formatUsers(
  { portal }: OpenPortal,
  users: readonly Answer[],
  { groups }: TakeoverPlan,
): Promise<string> {
  const groupsOf = new Map<string, string[]>()
  for (const { id, title } of groups) {
    const people = await orRefusal(readPeople(portal, id))
    if (people instanceof PortalRefused) continue
    for (const name of new Set([people.owner, ...people.admins, ...people.users])) {
      groupsOf.set(name, [...(groupsOf.get(name) ?? []), title])
    }
  }
  const rows = users.map(({ username, fullName, email, role }) => {
    return [username, fullName, email, role, (groupsOf.get(textOf(username)) ?? []).join(' | ')].map(textOf)
  })
  return [['username', 'name', 'mail', 'role', 'groups'], ...rows]
    .map((cells) => formatCsvRow(cells.map(guardFormula)))
    .join('')
}
