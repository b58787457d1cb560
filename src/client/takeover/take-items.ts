import { refused } from '../failure.ts'
import { type Answer, PortalRefused } from '../network/connection.ts'
import { objectsOf, textOf, textsOf } from '../network/facts.ts'
import { AnswerLost } from '../network/transport.ts'
import { hasSamePaths, writeCategories } from '../portals/item-writer.ts'
import type { Place } from '../portals/place.ts'
import type { BothPortals } from './both-portals.ts'
import { hasText, levelOf, newItemOf, targetIdOf, targetOwnerOf, wordOf } from './source-items.ts'
import type { Kind, LinkedItem, Outcome, TakenItem, TakeoverJob } from './takeover-job.ts'
import type { TakeoverPlan } from './takeover-plan.ts'

/** Attempts to do a page whose answers are lost (chosen): each looks first what is done. */
const maxTries = 3
/** Items of one page that are all refused for one reason (chosen): it is none of the items. */
const maxAlike = 20

/** An item of the source and what the target has of it. */
interface Pair {
  readonly source: Answer
  readonly sourceId: string
  readonly target: Answer | undefined
}

/** The items of the target that have the words of these ids of the source; several of one id are a fault of the target. */
export async function findTaken(
  { target }: BothPortals,
  plan: TakeoverPlan,
  sourceIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Answer[]>> {
  const idOf = new Map(sourceIds.map((id) => [wordOf(plan, id), id]))
  const clause = `typekeywords:(${[...idOf.keys()].map((word) => `"${word}"`).join(' OR ')})`
  const found = new Map<string, Answer[]>()
  for (const item of await target.portal.items.findResults(await target.find('org'), clause)) {
    const id = textsOf(item['typeKeywords']).flatMap((word) => idOf.get(word) ?? [])[0]
    if (id !== undefined) found.set(id, [...(found.get(id) ?? []), item])
  }
  return found
}

/** Makes items at the target by pages of the source, and shares them with a group. */
export class ItemTaker {
  readonly #both: BothPortals
  readonly #plan: TakeoverPlan
  readonly #job: TakeoverJob
  /** Path of the caller's own items. */
  readonly #own: string
  readonly #me: string

  constructor(both: BothPortals, plan: TakeoverPlan, job: TakeoverJob) {
    this.#both = both
    this.#plan = plan
    this.#job = job
    this.#me = both.target.facts.user.username
    this.#own = `/content/users/${encodeURIComponent(this.#me)}`
  }

  /** Takes the items of a place of the source; those of a group are shared with the group of the target. */
  async take(place: Place, group: Place | undefined): Promise<void> {
    const key = place.groupId ?? 'org'
    const { place: former, created } = this.#job.createdOf
    const pages = this.#both.source.portal.items.listResults(place, this.#job.seenIn(key), former === key ? created : 0)
    for await (const page of pages) {
      if (page.length === 0) continue
      for (let attempt = 1; !(await this.#takePage(key, page, group, attempt === maxTries)); attempt += 1);
    }
  }

  /** Whether the page is done: false where an answer is lost, and the page is to be looked at again. */
  async #takePage(key: string, page: readonly Answer[], group: Place | undefined, isLast: boolean): Promise<boolean> {
    const outcomes: Outcome[] = []
    try {
      const pairs = await this.#make(page, outcomes)
      const items = await this.#settle(pairs, outcomes)
      const linked = group ? await this.#link(pairs, group, outcomes) : []
      const created = Math.max(...page.map((item) => Number(item['created'])))
      const fresh = items.filter(([sourceId]) => !this.#job.known.has(sourceId))
      this.#job.note({ place: key, created, items: fresh, linked, outcomes })
      return true
    } catch (error) {
      if (isLast || !(error instanceof AnswerLost)) throw error
      return false
    }
  }

  /** The items of the page with what the target has of them, after those that it lacks were made. */
  async #make(page: readonly Answer[], outcomes: Outcome[]): Promise<readonly Pair[]> {
    const ids = page.map((item) => textOf(item['id']))
    const found = await findTaken(this.#both, this.#plan, ids)
    const pairs: Pair[] = []
    for (const [at, source] of page.entries()) {
      const sourceId = ids[at]!
      const several = found.get(sourceId) ?? []
      const own = several.find(({ id }) => id === targetIdOf(this.#plan, sourceId))
      const target = own ?? several[0] ?? (await this.#add(source, sourceId, outcomes))
      pairs.push({ source, sourceId, target })
    }
    const reasons = new Set(outcomes.map(([kind, , , , reason]) => `${kind} ${reason}`))
    if (page.length >= maxAlike && pairs.every(({ target }) => !target) && reasons.size === 1) {
      throw refused(`All items are refused: ${outcomes[0]![4]}`)
    }
    return pairs
  }

  async #add(source: Answer, sourceId: string, outcomes: Outcome[]): Promise<Answer | undefined> {
    const { connection } = this.#both.target.portal
    const text = await this.#readText(source, sourceId, outcomes)
    const add = async (given: string | undefined): Promise<Answer | PortalRefused> => {
      const parameters = newItemOf(this.#plan, source, given)
      const added = await orRefusal(connection.call(`${this.#own}/addItem`, parameters, { isWrite: true }))
      if (added instanceof PortalRefused) return added
      const unknown = textsOf(added['unrecognizedCategories'])
      const id = textOf(added['id'])
      if (unknown.length > 0) {
        outcomes.push(['categories', sourceId, id, 'refused', `The schema lacks ${unknown.join(' | ')}.`])
      }
      return { id, owner: this.#me, access: 'private' }
    }
    const first = await add(text)
    if (!(first instanceof PortalRefused)) return first
    const made = await this.#findMade(sourceId)
    if (made) return made
    if (text !== undefined) outcomes.push(['data', sourceId, '', 'refused', reasonOf(first)])
    const again = text === undefined ? first : await add(undefined)
    if (!(again instanceof PortalRefused)) return again
    return void outcomes.push(['item', sourceId, '', 'refused', reasonOf(again)])
  }

  /** The item that an earlier request made, whose answer did not come. */
  async #findMade(sourceId: string): Promise<Answer | undefined> {
    const path = `/content/items/${targetIdOf(this.#plan, sourceId)}`
    const item = await orRefusal(this.#both.target.portal.connection.call(path))
    const isOurs =
      !(item instanceof PortalRefused) && textsOf(item['typeKeywords']).includes(wordOf(this.#plan, sourceId))
    return isOurs ? item : undefined
  }

  async #readText(source: Answer, sourceId: string, outcomes: Outcome[]): Promise<string | undefined> {
    if (!this.#plan.data || !hasText(source)) return undefined
    const text = await orRefusal(this.#both.source.portal.connection.text(`/content/items/${sourceId}/data`))
    if (!(text instanceof PortalRefused)) return text
    return void outcomes.push(['data', sourceId, '', 'refused', reasonOf(text)])
  }

  /** Gives items that this job made their owner, and their access. */
  async #settle(pairs: readonly Pair[], outcomes: Outcome[]): Promise<readonly TakenItem[]> {
    const { connection } = this.#both.target.portal
    const refusedOf = new Map<string, string>()
    const isMade = ({ sourceId, target }: Pair) => target?.['id'] === targetIdOf(this.#plan, sourceId)
    for (const level of ['org', 'public'] as const) {
      const rising = pairs.filter((pair) => {
        return isMade(pair) && levelOf(this.#plan, pair.source) === level && pair.target!['access'] !== level
      })
      const given = { everyone: level === 'public', org: true }
      for (const [id, reason] of await this.#share(rising, given)) refusedOf.set(id, reason)
    }
    const items: TakenItem[] = []
    for (const pair of pairs) {
      const { source, sourceId, target } = pair
      if (!target) continue
      const id = textOf(target['id'])
      const problem = refusedOf.get(id)
      const level = problem === undefined ? levelOf(this.#plan, source) : 'private'
      if (problem !== undefined) outcomes.push(['access', sourceId, id, 'refused', problem])
      let owner = textOf(target['owner'])
      const wanted = targetOwnerOf(this.#plan, textOf(source['owner']))
      if (isMade(pair) && owner === this.#me && owner !== wanted) {
        const path = `${this.#own}/items/${id}/reassign`
        const answer = await orRefusal(connection.call(path, { targetUsername: wanted }, { isWrite: true }))
        owner = answer instanceof PortalRefused ? textOf((await this.#findMade(sourceId))?.['owner']) : wanted
        if (owner !== wanted) outcomes.push(['owner', sourceId, id, 'refused', reasonOf(answer)])
      }
      items.push([sourceId, id, isMade(pair) ? 'made' : 'present', owner, level])
    }
    return items
  }

  /** Shares items with the group, and gives them their categories there. */
  async #link(pairs: readonly Pair[], group: Place, outcomes: Outcome[]): Promise<readonly LinkedItem[]> {
    const { connection, items } = this.#both.target.portal
    const here = pairs.filter(({ target }) => target)
    const idOf = ({ target }: Pair) => textOf(target!['id'])
    if (here.length === 0) return []
    const inGroup = await items.findEach(group, here.map(idOf))
    const open = here.filter((pair) => !inGroup.has(idOf(pair)))
    const problems = await this.#share(open, { groups: group.groupId!, confirmItemControl: true })
    const shared = here.filter((pair) => !problems.has(idOf(pair)))
    const wanted = shared.map((pair) => ({ id: idOf(pair), to: textsOf(pair.source['groupCategories']) }))
    const differing = wanted.filter(({ id, to }) => !hasSamePaths(inGroup.get(id)?.categories ?? [], to))
    const unsorted =
      differing.length === 0 ? new Map<string, string>() : await writeCategories(connection, group, differing, true)
    const note = (kind: Kind, pair: Pair, reason: string | undefined) => {
      const row = [kind, pair.sourceId, idOf(pair), 'refused'] as const
      if (reason !== undefined) outcomes.push([...row, `${group.title}: ${reason}`])
    }
    for (const pair of here) note('share', pair, problems.get(idOf(pair)))
    for (const pair of shared) note('categories', pair, unsorted.get(idOf(pair)))
    return shared.map((pair) => {
      const categories = unsorted.has(idOf(pair)) ? [] : textsOf(pair.source['groupCategories'])
      return [pair.sourceId, idOf(pair), categories]
    })
  }

  /** Shares items; answers why some are not, by their ids. */
  async #share(
    pairs: readonly Pair[],
    wish: Readonly<Record<string, string | boolean>>,
  ): Promise<ReadonlyMap<string, string>> {
    if (pairs.length === 0) return new Map()
    const items = pairs.map(({ target }) => textOf(target!['id'])).join(',')
    const { connection } = this.#both.target.portal
    const options = { isWrite: true, isRepeatable: true }
    const answer = await connection.call(`${this.#own}/shareItems`, { items, ...wish }, options)
    return new Map(
      objectsOf(answer, 'results').flatMap(({ itemId, success, notSharedWith, error, reasons }): [string, string][] => {
        const left = textsOf(notSharedWith)
        if (success === true && left.length === 0) return []
        const reason = Object.values((reasons ?? error ?? {}) as object).findLast((one) => typeof one === 'string')
        return [[textOf(itemId), textOf(reason) || 'The target does not share it.']]
      }),
    )
  }
}

/** The answer, or the refusal of the portal; after another error, the job ends, and is resumed. */
export async function orRefusal<T>(answer: Promise<T>): Promise<T | PortalRefused> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof PortalRefused && error.exit === 1) return error
    throw error
  }
}

export function reasonOf(answer: unknown): string {
  return answer instanceof PortalRefused ? [...new Set([answer.message, ...answer.details])].join(' ') : ''
}
