/** Elements by rank, the smallest first; each change takes the logarithm of their number. */
export class Heap<Element> {
  readonly #entries: { readonly element: Element; rank: number }[] = []
  /** Indexes of `#entries`. */
  readonly #indexes = new Map<Element, number>()

  get size(): number {
    return this.#entries.length
  }

  first(): Element | undefined {
    return this.#entries[0]?.element
  }

  /** Adds an element, or moves it to another rank. */
  put(element: Element, rank: number): void {
    const index = this.#indexes.get(element) ?? this.#entries.push({ element, rank }) - 1
    this.#entries[index]!.rank = rank
    this.#settle(index)
  }

  remove(element: Element): void {
    const index = this.#indexes.get(element)
    if (index === undefined) return
    const last = this.#entries.pop()!
    this.#indexes.delete(element)
    if (index === this.#entries.length) return
    this.#entries[index] = last
    this.#settle(index)
  }

  /** Moves the entry up or down to where no parent has a larger rank. */
  #settle(from: number): void {
    const entry = this.#entries[from]!
    let index = from
    for (let parent = this.#entries[(index - 1) >> 1]; index > 0 && parent!.rank > entry.rank; ) {
      this.#set(index, parent!)
      index = (index - 1) >> 1
      parent = this.#entries[(index - 1) >> 1]
    }
    for (;;) {
      const [left, right] = [2 * index + 1, 2 * index + 2]
      const smaller = (this.#entries[right]?.rank ?? Infinity) < (this.#entries[left]?.rank ?? Infinity) ? right : left
      const child = this.#entries[smaller]
      if (!child || child.rank >= entry.rank) break
      this.#set(index, child)
      index = smaller
    }
    this.#set(index, entry)
  }

  #set(index: number, entry: { readonly element: Element; rank: number }): void {
    this.#entries[index] = entry
    this.#indexes.set(entry.element, index)
  }
}
