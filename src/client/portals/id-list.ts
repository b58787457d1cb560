import { sha256Of } from '../../digest.ts'

/** Ids that are known, such as a set of texts. */
export interface KnownIds {
  readonly size: number
  has(id: string): boolean
  add(id: string): unknown
}

const idBytes = 16

/** Ids of items in the order in which they were added, each once, in 16 bytes: 100,000 texts would have 10 MB. */
export class IdList implements KnownIds {
  #bytes = Buffer.alloc(1024 * idBytes)
  /** Positions of ids, counted from 1, by their hash; half of the slots are empty at least. */
  #slots = new Int32Array(2048)
  size = 0

  /** Position of the id; -1 where it is none of these. */
  indexOf(id: string): number {
    return this.#slots[this.#findSlot(id)]! - 1
  }

  has(id: string): boolean {
    return this.indexOf(id) !== -1
  }

  add(id: string): void {
    const slot = this.#findSlot(id)
    if (this.#slots[slot] !== 0) return
    this.size += 1
    this.#slots[slot] = this.size
    if (this.size * 2 >= this.#slots.length) this.#grow()
  }

  /** The id at a position, if it has 32 hexadecimal digits. */
  at(index: number): string {
    return this.#bytes.toString('hex', index * idBytes, (index + 1) * idBytes)
  }

  /** The slot of the id, or an empty one for it; its bytes are behind those of the others then. */
  #findSlot(id: string): number {
    const end = this.size * idBytes
    this.#bytes.write(/^[0-9a-f]{32}$/.test(id) ? id : sha256Of(id), end, idBytes, 'hex')
    let slot = this.#hash(this.size)
    const isOther = (at: number) => this.#bytes.compare(this.#bytes, at, at + idBytes, end, end + idBytes) !== 0
    while (this.#slots[slot] !== 0 && isOther((this.#slots[slot]! - 1) * idBytes)) {
      slot = (slot + 1) % this.#slots.length
    }
    return slot
  }

  #hash(index: number): number {
    const at = index * idBytes
    const mixed = Math.imul(this.#bytes.readUInt32BE(at) ^ this.#bytes.readUInt32BE(at + 12), 0x9e3779b1)
    return mixed >>> (Math.clz32(this.#slots.length) + 1)
  }

  #grow(): void {
    this.#slots = new Int32Array(2 * this.#slots.length)
    this.#bytes = Buffer.concat([this.#bytes], this.#slots.length * (idBytes / 2))
    for (let index = 0; index < this.size; index += 1) {
      let slot = this.#hash(index)
      while (this.#slots[slot] !== 0) slot = (slot + 1) % this.#slots.length
      this.#slots[slot] = index + 1
    }
  }
}
