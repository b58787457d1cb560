/** Milliseconds after which time used counts half (chosen). */
const halfLife = 30_000
/** Milliseconds below which it is forgotten. */
const minUse = 1
/** Milliseconds between two looks for what can be forgotten. */
const forgetInterval = 1_000

/** Time that users, organizations and networks have used lately, by their ids. */
export class UsedTime {
  readonly #used = new Map<string, { readonly milliseconds: number; readonly at: number }>()
  #forgottenAt = performance.now()

  of(id: string, now = performance.now()): number {
    const used = this.#used.get(id)
    return used ? used.milliseconds / 2 ** ((now - used.at) / halfLife) : 0
  }

  add(id: string, milliseconds: number): void {
    const now = performance.now()
    this.#used.set(id, { milliseconds: this.of(id, now) + milliseconds, at: now })
    if (now - this.#forgottenAt < forgetInterval) return
    this.#forgottenAt = now
    for (const known of this.#used.keys()) if (this.of(known, now) < minUse) this.#used.delete(known)
  }
}
