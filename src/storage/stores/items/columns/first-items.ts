import { selectSmallest } from './select-smallest.ts'

/** The items with the smallest keys, and all that have the last of these keys. */
export class FirstItems {
  readonly #max: number
  #keys: Float64Array<ArrayBuffer>
  #numbers: Uint32Array<ArrayBuffer>
  #count = 0
  /** No later item with a greater key is among the first. */
  #last = Number.POSITIVE_INFINITY

  constructor(max: number) {
    this.#max = max
    this.#keys = new Float64Array(2 * max)
    this.#numbers = new Uint32Array(2 * max)
  }

  get keys(): Float64Array {
    return this.#keys.subarray(0, this.#count)
  }

  get numbers(): Uint32Array {
    return this.#numbers.subarray(0, this.#count)
  }

  add(key: number, number: number): void {
    if (key > this.#last) return
    if (this.#count === this.#keys.length) this.#makeRoom()
    this.#keys[this.#count] = key
    this.#numbers[this.#count++] = number
  }

  #makeRoom(): void {
    const { keys, numbers } = this
    this.#last = selectSmallest(keys, this.#max)[this.#max - 1]!
    this.#count = 0
    for (let at = 0; at < keys.length; at += 1) {
      if (keys[at]! > this.#last) continue
      keys[this.#count] = keys[at]!
      numbers[this.#count++] = numbers[at]!
    }
    // Equal keys are all kept, however many there are.
    if (this.#count <= keys.length * 0.75) return
    this.#keys = new Float64Array(2 * keys.length)
    this.#numbers = new Uint32Array(2 * keys.length)
    this.#keys.set(keys)
    this.#numbers.set(numbers)
  }
}
