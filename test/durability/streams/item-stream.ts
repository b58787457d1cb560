import { expect } from 'vitest'
import type { Post } from '../clients.ts'
import type { Stream } from './killed-stream.ts'

/** The title of an item that is there, or undefined of one that is not. */
type State = string | undefined

/** Clients that add, update and delete items, and that know what a server may be held to. */
export class ItemStream implements Stream {
  /** Possible states of each item: one where the last change was answered, two where it was not. */
  readonly #items = new Map<string, readonly State[]>()
  /** Items whose addition was not answered. */
  readonly #unanswered = new Set<string>()
  readonly #random: () => number
  #titles = 0

  constructor(random: () => number) {
    this.#random = random
  }

  get size(): number {
    return this.#items.size
  }

  get open(): number {
    return this.#unanswered.size + [...this.#items.values()].filter((states) => states.length > 1).length
  }

  /** Several clients concurrently. */
  async write(post: Post, answered: () => void): Promise<void> {
    await Promise.all(Array.from({ length: clients }, () => this.#writeOn(post, answered)))
  }

  async #writeOn(post: Post, answered: () => void): Promise<void> {
    const own: string[] = []
    while (true) {
      const chance = this.#random()
      const id = own.at(-1)
      const isDone =
        id === undefined || chance < 0.5
          ? await this.#add(post, own)
          : chance < 0.8
            ? await this.#change(post, id, 'update', this.#nextTitle())
            : await this.#change(post, own.pop()!, 'delete', undefined)
      if (!isDone) return
      answered()
    }
  }

  async #add(post: Post, own: string[]): Promise<boolean> {
    const title = this.#nextTitle()
    this.#unanswered.add(title)
    const answer = await post('/content/users/admin/addItem', { title, type: 'Web Map', tags: 'kept' })
    if (!answer) return false
    const { id } = JSON.parse(answer.text)
    this.#unanswered.delete(title)
    this.#items.set(id, [title])
    own.push(id)
    return true
  }

  async #change(post: Post, id: string, deed: 'update' | 'delete', title: State): Promise<boolean> {
    this.#items.set(id, [...this.#items.get(id)!, title])
    const answer = await post(`/content/users/admin/items/${id}/${deed}`, title === undefined ? {} : { title })
    if (!answer) return false
    if (!answer.isDone) throw new Error(`${deed} was refused: ${answer.text}`)
    this.#items.set(id, [title])
    return true
  }

  #nextTitle(): string {
    this.#titles += 1
    return `title${this.#titles}`
  }

  /** Every acknowledged write is found by id and by search, and nothing is half done. */
  async requireKept(post: Post, place: string): Promise<void> {
    for (const title of this.#unanswered) {
      const [id, ...others] = await search(post, title)
      expect(others, `${place}: items of one request`).toEqual([])
      if (id !== undefined) this.#items.set(id, [title])
    }
    this.#unanswered.clear()
    const found = new Map<string, State>()
    for (const [id, states] of this.#items) {
      const title = await readTitle(post, id)
      expect(states, `${place}: item ${id}`).toContain(title)
      found.set(id, title)
      for (const one of states) {
        if (one === undefined) continue
        expect(await search(post, one), `${place}: ${one} by search`).toEqual(one === title ? [id] : [])
      }
      this.#items.set(id, [title])
    }
    const there = [...found.values()].filter((title) => title !== undefined).length
    const { total } = JSON.parse((await post('/search', { q: 'tags:kept', num: 0 }))!.text)
    expect(total, `${place}: all items by search`).toBe(there)
  }
}

const clients = 4

async function search(post: Post, title: string): Promise<readonly string[]> {
  const { results } = JSON.parse((await post('/search', { q: `title:${title}` }))!.text)
  return results.map(({ id }: { id: string }) => id)
}

async function readTitle(post: Post, id: string): Promise<State> {
  const answer = await post(`/content/items/${id}`, {})
  return answer!.isDone ? JSON.parse(answer!.text).title : undefined
}
