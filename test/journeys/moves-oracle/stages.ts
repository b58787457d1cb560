import { expect } from 'vitest'
import type { Body, Client, Parameters } from '../../support/portal/portal.ts'
import type { HolderKind } from '../../support/portal/schema-holder.ts'

/** The addresses at which items have the categories of a group or of its organization. */
interface Addresses {
  readonly schema: string
  readonly update: string
  readonly search: string
  readonly member: 'categories' | 'groupCategories'
}

/** Paths of the items in the other schema, in which nothing ever moves. */
const elsewhere = ['/Water', '/Soil/Air', '/Rocks']
const schemaElsewhere = [{ title: 'Water' }, { title: 'Soil', categories: [{ title: 'Air' }] }, { title: 'Rocks' }]

/** Items of one group of one organization, with categories of both. One of the two schemas changes, the other never. */
export class Stage {
  readonly #admin: Client
  readonly groupId: string
  readonly #changing: Addresses
  readonly #resting: Addresses
  readonly #ids: string[] = []

  private constructor(admin: Client, group: string, changing: Addresses, resting: Addresses) {
    this.#admin = admin
    this.groupId = group
    this.#changing = changing
    this.#resting = resting
  }

  static async open(admin: Client, kind: HolderKind): Promise<Stage> {
    const { id: group } = await admin.createGroup('Maps')
    const organization: Addresses = {
      schema: '/portals/self',
      update: '/content/updateItems',
      search: '/search',
      member: 'categories',
    }
    const ofGroup: Addresses = {
      schema: `/community/groups/${group}`,
      update: `/content/groups/${group}/updateCategories`,
      search: `/content/groups/${group}/search`,
      member: 'groupCategories',
    }
    const [changing, resting] = kind === 'group' ? [ofGroup, organization] : [organization, ofGroup]
    await admin.post(`${resting.schema}/assignCategorySchema`, { categorySchema: { categorySchema: schemaElsewhere } })
    return new Stage(admin, group, changing, resting)
  }

  /** Answers what a change of the schema is answered. */
  change(operation: string, parameters: Readonly<Record<string, unknown>>) {
    return this.#admin.post(`${this.#changing.schema}/${operation}`, parameters)
  }

  /** Adds the item if there is none yet. */
  async putItem(at: number, categories: readonly string[]): Promise<void> {
    if (this.#ids[at] === undefined) {
      const { id } = await this.#admin.post('/content/users/admin/addItem', { title: `Item ${at}`, type: 'Web Map' })
      await this.#admin.post(`/content/users/admin/items/${id}/share`, { groups: this.groupId })
      this.#ids[at] = id
      await this.#categorize(this.#resting, id, elsewhere)
    }
    await this.#categorize(this.#changing, this.#ids[at]!, categories)
  }

  async #categorize({ update }: Addresses, itemId: string, categories: readonly string[]): Promise<void> {
    const { results } = await this.#admin.post(update, { items: [{ [itemId]: { categories } }] })
    expect(results).toEqual([{ itemId, success: true }])
  }

  /** The categories of each item; those of the schema at rest have to be what they ever were. */
  async listItems(): Promise<readonly (readonly string[])[]> {
    const { results } = await this.#find(`/content/groups/${this.groupId}/search`, { num: '100' })
    const found = new Map<string, Readonly<Record<string, string[]>>>(
      results.map((item: { readonly id: string }) => [item.id, item]),
    )
    const items = this.#ids.map((id) => found.get(id)!)
    expect(items.map((item) => item[this.#resting.member])).toEqual(items.map(() => elsewhere))
    return items.map((item) => item[this.#changing.member]!)
  }

  /** Items, by number, that a search by the category finds. */
  async search(path: string): Promise<readonly number[]> {
    const { results } = await this.#find(this.#changing.search, { categories: [path], num: '100' })
    return results.map(({ id }: { readonly id: string }) => this.#ids.indexOf(id)).toSorted()
  }

  /** On a busy machine a search may take longer than it may: then it is sent again. */
  async #find(path: string, parameters: Parameters): Promise<Body> {
    const answer = await this.#admin.get(path, parameters)
    return answer.error?.code === 503 ? this.#find(path, parameters) : answer
  }

  /** Items of each category, those below it among them. */
  async count(): Promise<Readonly<Record<string, number>>> {
    const { aggregations } = await this.#find(this.#changing.search, {
      num: '0',
      countFields: 'categories',
      countSize: '200',
    })
    const values: readonly { readonly value: string; readonly count: number }[] = aggregations.counts[0].fieldValues
    return Object.fromEntries(values.map(({ value, count }) => [value, count]))
  }
}
