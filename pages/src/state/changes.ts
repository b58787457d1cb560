/** Notifies the listeners of a part of the application's state, after each change of it. */
export class Changes<Detail = void> {
  readonly #listeners = new Set<(detail: Detail) => void>()

  /** Adds a listener; returns the function that removes it. */
  watch(listener: (detail: Detail) => void): () => void {
    // Wrapped, so that one function may be added twice.
    const own = (detail: Detail) => listener(detail)
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  /** Calls the listeners; those added meanwhile are called from the next change on. */
  emit(detail: Detail): void {
    for (const listener of [...this.#listeners]) listener(detail)
  }
}
