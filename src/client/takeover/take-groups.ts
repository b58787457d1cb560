import { sha256Of } from '../../digest.ts'
import { isObject } from '../../json-text.ts'
import { type Answer, PortalRefused } from '../network/connection.ts'
import { listAll, textOf, textsOf } from '../network/facts.ts'
import { AnswerLost } from '../network/transport.ts'
import type { Place } from '../portals/place.ts'
import type { BothPortals } from './both-portals.ts'
import { targetOwnerOf, wordOf } from './source-items.ts'
import { ItemTaker, orRefusal, reasonOf } from './take-items.ts'
import type { Kind, Outcome, TakeoverJob } from './takeover-job.ts'
import type { TakeoverPlan } from './takeover-plan.ts'

/** Usernames of one call, and tags of a group, one of which says where it comes from (documented). */
const [maxNames, maxTags] = [25, 128]
/** Looks for a group whose answer was lost (chosen). */
const maxLooks = 3

export const plainGroupMembers = [
  ...['title', 'snippet', 'description', 'access', 'sortField', 'sortOrder', 'isViewOnly', 'isInvitationOnly'],
  ...['autoJoin', 'membershipAccess', 'phone', 'leavingDisallowed', 'hiddenMembers'],
] as const

/** The groups of the target that have the word of this group of the source. */
export async function findGroups({ target }: BothPortals, plan: Pick<TakeoverPlan, 'from'>, id: string) {
  const word = wordOf(plan as TakeoverPlan, id)
  const found = await listAll(target.portal.connection, '/community/groups', 'results', { q: `tags:"${word}"` })
  return found.filter((group) => textsOf(group['tags']).includes(word))
}

/** Deletes groups that a request made whose answer came never, or that came twice: the caller's own, as they were made, without items. */
export async function removeTwins(
  both: BothPortals,
  plan: TakeoverPlan,
  { groups, askedPlaces }: TakeoverJob,
): Promise<void> {
  const { portal, facts, find } = both.target
  for (const place of askedPlaces) {
    for (const { id, owner, created, modified } of await findGroups(both, plan, place)) {
      if (id === groups.get(place) || owner !== facts.user.username || created !== modified) continue
      if ((await portal.items.count(await find(`group:${id}`))) > 0) continue
      await portal.connection.call(`/community/groups/${id}/delete`, {}, { isWrite: true, isRepeatable: true })
    }
  }
}

export type People = Readonly<{ owner: string; admins: readonly string[]; users: readonly string[] }>

export async function readPeople({ connection }: BothPortals['source']['portal'], groupId: string): Promise<People> {
  const { owner, admins, users } = await connection.call(`/community/groups/${groupId}/users`)
  return { owner: textOf(owner), admins: textsOf(admins), users: textsOf(users) }
}

/** Digest of who belongs to a group, and as what. */
export function digestOfPeople({ owner, admins, users }: People): string {
  return sha256Of(JSON.stringify([owner, admins.toSorted(), users.toSorted()])).slice(0, 16)
}

/** Makes the groups of a plan, one after the other, each with its schema, its items and its members. */
export class GroupTaker {
  readonly #both: BothPortals
  readonly #plan: TakeoverPlan
  readonly #job: TakeoverJob
  readonly #items: ItemTaker
  readonly #me: string

  constructor(both: BothPortals, plan: TakeoverPlan, job: TakeoverJob) {
    this.#both = both
    this.#plan = plan
    this.#job = job
    this.#items = new ItemTaker(both, plan, job)
    this.#me = both.target.facts.user.username
  }

  /** Takes the schema of the organization, its items, and all groups that are not done. */
  async takeAll(): Promise<void> {
    const { source, target } = this.#both
    if (!this.#job.endedPlaces.has('org')) {
      await this.#whole('org', async () => {
        const { schema, items } = this.#plan
        if (schema) await this.#takeSchema('', await target.find('org'), schema)
        if (items === 'org') await this.#items.take(await source.find('org'), undefined)
      })
    }
    for (const { id } of this.#plan.groups) {
      if (!this.#job.endedPlaces.has(id)) await this.#whole(id, () => this.#takeGroup(id))
    }
    await removeTwins(this.#both, this.#plan, this.#job)
    const { endedPlaces, state } = this.#job
    if (endedPlaces.size === this.#plan.groups.length + 1 && state === 'begun') this.#job.note({ state: 'done' })
  }

  /** Ends a place of which nothing was refused: the same command tries the others again. */
  async #whole(place: string, work: () => Promise<void>): Promise<void> {
    const before = this.#job.refusals
    await work()
    if (this.#job.refusals === before) this.#job.note({ place, ended: true })
  }

  async #takeGroup(id: string): Promise<void> {
    const { source, target } = this.#both
    const described = await orRefusal(source.portal.connection.call(`/community/groups/${id}`))
    if (described instanceof PortalRefused) return this.#refuse(id, 'group', '', reasonOf(described))
    const groupId = this.#job.groups.get(id) ?? (await this.#make(id, described))
    if (groupId === undefined) return
    const [from, to] = [await source.find(`group:${id}`), await target.find(`group:${groupId}`)]
    const { schema } = await source.portal.read(from)
    const present = await target.portal.read(to)
    if (schema.categorySchema.length > 0) await this.#takeSchema(id, to, { before: present.schema, after: schema })
    if (this.#plan.items !== 'none') await this.#items.take(from, to)
    await this.#handOver(id, to, targetOwnerOf(this.#plan, textOf(described['owner'])))
  }

  /** Gives a place of the target its schema; one that others have set there is left. */
  async #takeSchema(id: string, place: Place, { before, after }: NonNullable<TakeoverPlan['schema']>): Promise<void> {
    const { portal } = this.#both.target
    const { hashOf } = await import('../../categories/history/document-hash.ts')
    const present = await portal.read(place)
    const note = (result: 'made' | 'present') =>
      this.#job.note({ outcomes: [['schema', id, place.groupId ?? '', result, '']] })
    if (present.hash === hashOf(after)) return note('present')
    const isOthers = place.groupId !== undefined && present.schema.categorySchema.length > 0
    if (isOthers || present.hash !== hashOf(before)) {
      return this.#refuse(id, 'schema', place.groupId ?? '', 'Another schema is set there.')
    }
    this.#job.note({ schema: { groupId: place.groupId, before, after: hashOf(after) } })
    const change = { place, before: present, after, moves: [], vanishing: 'keep' } as const
    const made = await orRefusal(portal.apply(change, { comment: `Taken over from ${this.#plan.from.url}` }))
    if (made instanceof PortalRefused) this.#refuse(id, 'schema', place.groupId ?? '', reasonOf(made))
    else note('made')
  }

  /** Makes a group; where its answer is lost, or the command ended before it, it is looked for. */
  async #make(id: string, described: Answer): Promise<string | undefined> {
    const wasAsked = this.#job.askedPlaces.has(id)
    const found = await this.#look(id, wasAsked ? maxLooks : 1)
    if (found) return this.#noteGroup(id, found, wasAsked ? 'made' : 'present')
    const tags = [...textsOf(described['tags']).slice(0, maxTags - 1), wordOf(this.#plan, id)]
    const { displaySettings: shown } = described
    const itemTypes = isObject(shown) ? textOf(shown['itemTypes']) : ''
    const parameters = {
      ...Object.fromEntries(plainGroupMembers.map((name) => [name, toParameter(described[name])])),
      tags: tags.join(','),
      capabilities: textsOf(described['capabilities']).find((one) => one.toLowerCase() === 'updateitemcontrol'),
      displaySettings: itemTypes === '' ? undefined : JSON.stringify({ itemTypes }),
    }
    this.#job.note({ place: id, asked: true })
    try {
      const { group } = await this.#both.target.portal.connection.call('/community/createGroup', parameters, {
        isWrite: true,
      })
      return this.#noteGroup(id, textOf(isObject(group) ? group['id'] : undefined), 'made')
    } catch (error) {
      if (error instanceof PortalRefused && error.exit === 1) return void this.#refuse(id, 'group', '', reasonOf(error))
      const made = error instanceof AnswerLost ? await this.#look(id, maxLooks) : undefined
      if (made === undefined) throw error
      return this.#noteGroup(id, made, 'made')
    }
  }

  /** Id of the group of the target; one that was asked for may come late. */
  async #look(id: string, looks: number): Promise<string | undefined> {
    for (let look = 1; ; look += 1) {
      const [found] = await findGroups(this.#both, this.#plan, id)
      if (found || look >= looks) return found && textOf(found['id'])
      await this.#both.target.portal.connection.wait(1_000 * look)
    }
  }

  #noteGroup(id: string, groupId: string, result: 'made' | 'present'): string {
    this.#job.note({ place: id, outcomes: [['group', id, groupId, result, '']] })
    return groupId
  }

  /** Gives a group of the caller its owner and members; the caller leaves it, but for items that would leave with them. */
  async #handOver(id: string, { path, groupId, title }: Place, owner: string): Promise<void> {
    const { portal } = this.#both.target
    const { connection } = portal
    const write = { isWrite: true, isRepeatable: true }
    const wanted = await this.#wantedPeople(id, owner)
    let present = await readPeople(portal, groupId!)
    if (present.owner === this.#me && owner !== this.#me) {
      const answer = await orRefusal(connection.call(`${path}/reassign`, { targetUsername: owner }, { isWrite: true }))
      present = await readPeople(portal, groupId!)
      if (present.owner !== owner) this.#refuse(id, 'owner', groupId!, reasonOf(answer))
    }
    const there = new Set([...present.admins, ...present.users])
    for (const [role, names] of [['admins', wanted.admins] as const, ['users', wanted.users] as const]) {
      const missing = names.filter((name) => !there.has(name))
      for (let at = 0; at < missing.length; at += maxNames) {
        const batch = missing.slice(at, at + maxNames).join(',')
        const answer = await connection.call(`${path}/addUsers`, { [role]: batch }, write)
        for (const name of textsOf(answer['notAdded'])) {
          this.#refuse(id, 'member', name, `${title} does not take ${name}.`)
        }
      }
    }
    const isMember = present.owner === this.#me || [...wanted.admins, ...wanted.users].includes(this.#me)
    const place = await this.#both.target.find(`group:${groupId}`)
    if (
      !isMember &&
      there.has(this.#me) &&
      (await portal.items.findResults(place, `owner:"${this.#me}"`)).length === 0
    ) {
      await connection.call(`${path}/removeUsers`, { users: this.#me }, write)
    }
    const { modified } = await connection.call(path)
    const people = digestOfPeople(await readPeople(portal, groupId!))
    this.#job.note({ place: id, group: { id: groupId!, modified: Number(modified), people } })
  }

  /** Managers and members of a group, as far as they are users of the target. */
  async #wantedPeople(id: string, owner: string): Promise<Omit<People, 'owner'>> {
    if (!this.#plan.members) return { admins: [], users: [] }
    const { admins, users } = await readPeople(this.#both.source.portal, id)
    const { owners } = this.#plan
    const map = (names: readonly string[]) =>
      names.flatMap((name) => (Object.hasOwn(owners, name) ? [owners[name]!] : [])).filter((name) => name !== owner)
    const managers = [...new Set(map(admins))]
    return { admins: managers, users: [...new Set(map(users))].filter((name) => !managers.includes(name)) }
  }

  #refuse(id: string, kind: Kind, targetId: string, reason: string): void {
    const outcome: Outcome = [kind, id, targetId, 'refused', reason]
    this.#job.note({ place: id === '' ? 'org' : id, outcomes: [outcome] })
  }
}

function toParameter(value: unknown): string | boolean | undefined {
  return typeof value === 'boolean' ? value : textOf(value) || undefined
}
