/** Calls back whoever watches a part of the application's state, after each change of it. */
export class Changes<Detail = void> {
  readonly #listeners = new Set<(detail: Detail) => void>()

  /** Answers the function that ends the watch. */
  watch(listener: (detail: Detail) => void): () => void {
    // A listener of its own, so that one function may watch twice.
    const own = (detail: Detail) => listener(detail)
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  /** Listeners that are added meanwhile are called from the next change on. */
  emit(detail: Detail): void {
    for (const listener of [...this.#listeners]) listener(detail)
  }
}
