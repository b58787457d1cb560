import { expect } from 'vitest'
import type { HolderKind } from '../../support/portal/schema-holder.ts'
import type { Post } from '../clients.ts'
import type { Stream } from './killed-stream.ts'

/** State of an owner: its schema, by the titles of its one tree's categories, and the paths of its items in order. */
interface State {
  readonly version: number
  readonly titles: readonly string[]
  readonly items: ReadonlyMap<string, readonly string[]>
}

/** One request, and the state that it leaves. */
interface Step {
  readonly path: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly after: State
}

const items = 6
const pathOf = (title: string) => `/Categories/${title}`
const schemaOf = (titles: readonly string[]) => ({
  categorySchema: [{ title: 'Categories', categories: titles.map((title) => ({ title })) }],
})

/** Paths where the schema of an owner is changed and read. */
interface Addresses {
  readonly owner: string
  readonly update: string
  readonly search: string
  /** Member of a found item that has the categories of this owner. */
  readonly member: 'categories' | 'groupCategories'
}

const ofOrganization: Addresses = {
  owner: '/portals/self',
  update: '/content/updateItems',
  search: '/search',
  member: 'categories',
}

function ofGroup(id: string): Addresses {
  return {
    owner: `/community/groups/${id}`,
    update: `/content/groups/${id}/updateCategories`,
    search: `/content/groups/${id}/search`,
    member: 'groupCategories',
  }
}

/**
 * A client of an organization or of a group that changes its schema, moves, merges and restores categories, and gives them to items. It
 * sends one request after the other: where the last was not answered, its state is the one before or the one after.
 */
export class CategoryStream implements Stream {
  readonly #kind: HolderKind
  readonly #random: () => number
  #addresses = ofOrganization
  #state: State = { version: 0, titles: [], items: new Map() }
  /** The state of the version before, while items are where the last change of the schema has left them. */
  #before: State | undefined
  #unanswered: Step | undefined
  #titles = 0
  /** Kinds of answered requests. */
  readonly kinds = new Set<string>()

  constructor(kind: HolderKind, random: () => number) {
    this.#kind = kind
    this.#random = random
  }

  get open(): number {
    return this.#unanswered ? 1 : 0
  }

  async begin(post: Post): Promise<void> {
    const titles = ['Water', 'Roads', 'Soil']
    if (this.#kind === 'group') {
      const { group } = await ask(post, '/community/createGroup', { title: 'Maps' })
      this.#addresses = ofGroup(group.id)
    }
    const { owner, update } = this.#addresses
    await ask(post, `${owner}/assignCategorySchema`, { categorySchema: schemaOf(titles) })
    const added = new Map<string, readonly string[]>()
    for (let index = 0; index < items; index += 1) {
      const paths = [pathOf(titles[index % titles.length]!)]
      const { id } = await ask(post, '/content/users/admin/addItem', { title: `Item ${index}`, type: 'Web Map' })
      const group = owner.split('/').at(-1)!
      if (this.#kind === 'group') await ask(post, '/content/users/admin/shareItems', { items: id, groups: group })
      await ask(post, update, { items: JSON.stringify([{ [id]: { categories: paths } }]) })
      added.set(id, paths)
    }
    this.#state = { version: 1, titles, items: added }
  }

  async write(post: Post, answered: () => void): Promise<void> {
    while (true) {
      const [kind, step] = this.#next()
      this.#unanswered = step
      const answer = await post(step.path, step.parameters)
      if (!answer) return
      if (!answer.isDone || answer.text.includes('"success":false')) {
        throw new Error(`${kind} was refused: ${answer.text}`)
      }
      this.kinds.add(kind)
      this.#settle(step)
      answered()
    }
  }

  #settle(step: Step | undefined): void {
    this.#unanswered = undefined
    if (!step) return
    const isOfSchema = step.after.version > this.#state.version
    this.#before = isOfSchema ? this.#state : undefined
    this.#state = step.after
  }

  #next(): readonly [kind: string, step: Step] {
    const chance = this.#random()
    const { titles } = this.#state
    if (chance < 0.3 || titles.length < 2) return titles.length < 6 ? ['add', this.#add()] : ['merge', this.#move(true)]
    if (chance < 0.5) return ['categorize', this.#categorize()]
    if (chance < 0.65) return ['rename', this.#move(false)]
    if (chance < 0.75 && titles.length > 2) return ['merge', this.#move(true)]
    return this.#before ? ['restore', this.#restore(this.#before)] : ['rename', this.#move(false)]
  }

  #add(): Step {
    const titles = [...this.#state.titles, this.#nextTitle()]
    return this.#assign(titles, this.#state.items, {})
  }

  /** Gives a category another title, or that of another category. */
  #move(isMerge: boolean): Step {
    const { titles } = this.#state
    const from = this.#oneOf(titles)
    const others = titles.filter((title) => title !== from)
    const to = isMerge ? this.#oneOf(others) : this.#nextTitle()
    const follow = (path: string) => (path === pathOf(from) ? pathOf(to) : path)
    const moved = [...this.#state.items].map(([id, paths]) => [id, [...new Set(paths.map(follow))]] as const)
    const moves = JSON.stringify([{ from: pathOf(from), to: pathOf(to) }])
    return this.#assign(isMerge ? others : [...others, to], new Map(moved), { moves })
  }

  #assign(titles: readonly string[], items: State['items'], options: Readonly<Record<string, string>>): Step {
    return {
      path: `${this.#addresses.owner}/assignCategorySchema`,
      parameters: { categorySchema: schemaOf(titles), ...options },
      after: { version: this.#state.version + 1, titles, items },
    }
  }

  #restore(before: State): Step {
    return {
      path: `${this.#addresses.owner}/categorySchema/versions/${before.version}/restore`,
      parameters: {},
      after: { ...before, version: this.#state.version + 1 },
    }
  }

  #categorize(): Step {
    const { titles } = this.#state
    const changed = [...this.#state.items.keys()].filter(() => this.#random() < 0.5)
    const given = changed.map((id) => [id, titles.filter(() => this.#random() < 0.5).map(pathOf)] as const)
    return {
      path: this.#addresses.update,
      parameters: { items: JSON.stringify(given.map(([id, categories]) => ({ [id]: { categories } }))) },
      after: { ...this.#state, items: new Map([...this.#state.items, ...given]) },
    }
  }

  #nextTitle(): string {
    this.#titles += 1
    return `Title${this.#titles}`
  }

  #oneOf<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.#random() * values.length)]!
  }

  /** Schema, items and search are as they were before the last request or as they are after it, all of them together. */
  async requireKept(post: Post, place: string): Promise<void> {
    const present = await this.#read(post)
    const step = this.#unanswered
    const possible = [this.#state, ...(step ? [step.after] : [])].map(plain)
    expect(possible, `${place}: ${step?.path ?? 'nothing'} was not answered`).toContainEqual(plain(present))
    const isDone = step && JSON.stringify(plain(present)) === JSON.stringify(plain(step.after))
    this.#settle(isDone ? step : undefined)
    for (const title of this.#state.titles) {
      const path = pathOf(title)
      const carrying = [...this.#state.items].filter(([, paths]) => paths.includes(path)).map(([id]) => id)
      expect(await this.#search(post, path), `${place}: items of ${path} by search`).toEqual(carrying.toSorted())
    }
  }

  async #read(post: Post): Promise<State> {
    const { owner, search, member } = this.#addresses
    const schema = await ask(post, `${owner}/categorySchema`, { withVersion: 'true' })
    const { results } = await ask(post, search, { q: 'type:"Web Map"', num: 100 })
    const found = new Map(results.map((item: { id: string }) => [item.id, item[member as never]]))
    const titles = schema.categorySchema[0].categories.map(({ title }: { title: string }) => title)
    const read = [...this.#state.items.keys()].map((id) => [id, found.get(id) as readonly string[]] as const)
    return { version: schema.version, titles, items: new Map(read) }
  }

  async #search(post: Post, path: string): Promise<readonly string[]> {
    const asked = { q: 'type:"Web Map"', categories: path, num: 100 }
    const { results } = await ask(post, this.#addresses.search, asked)
    return results.map(({ id }: { id: string }) => id).toSorted()
  }
}

/** A state as a value that compares: paths of an item are a set. */
function plain({ version, titles, items }: State) {
  return { version, titles, items: [...items].map(([id, paths]) => [id, paths.toSorted()]) }
}

async function ask(post: Post, path: string, parameters = {}) {
  return JSON.parse((await post(path, parameters))!.text)
}
