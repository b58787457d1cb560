import type { Event } from './recording.ts'

/** Bytes that a disk writes atomically. */
const sectorBytes = 512

/** The files of a folder, by name. */
export type Image = ReadonlyMap<string, Buffer>

/**
 * How a power loss treats what was not synced yet. Each granule of a file reaches the disk as the program saw it at one
 * moment since the last sync. Sizes and names do so too, each at a moment of its own.
 */
export interface Loss {
  /** Bytes that share a moment: a sector, a page, or the whole file with its size. */
  readonly granule: number
  /** How often that moment is the present, and how often that of the sync; otherwise it is one between. */
  readonly present: number
  readonly synced: number
  /** Whether bytes that a file has grown by are noise, instead of zeros, where no write has reached them. */
  readonly isNoisy: boolean
  random(): number
}

/** A folder of files between the program and the disk. */
export class Disk {
  #now = 0
  #syncedAt = 0
  readonly #files = new Map<string, DiskFile>()
  /** Which file a name leads to. */
  readonly #names = new Map<string, Pending<DiskFile | undefined>>()

  apply(event: Event): void {
    this.#now += 1
    switch (event.what) {
      case 'create':
        // The number of a file that was removed may be given to another one.
        this.#files.set(event.inode, new DiskFile(this.#now))
        this.#lead(event.name, this.#file(event.inode))
        break
      case 'unlink':
        this.#lead(event.name, undefined)
        break
      case 'write':
        this.#file(event.inode).write(event.offset, event.bytes, this.#now)
        break
      case 'resize':
        this.#file(event.inode).resize(event.size, this.#now)
        break
      case 'sync':
        if (event.name === '.') this.#settleNames()
        else this.#file(event.inode).sync(this.#now)
    }
  }

  /** Files that are found after a power loss at this moment. */
  image(loss: Loss): Image {
    const image = new Map<string, Buffer>()
    for (const [name, pending] of this.#names) {
      const file = pending.at(drawMoment(loss, this.#syncedAt, this.#now))
      if (file) image.set(name, file.image(loss, this.#now))
    }
    return image
  }

  #file(inode: string): DiskFile {
    const file = this.#files.get(inode)
    if (!file) throw new Error('It was not recorded how the file was made.')
    return file
  }

  #lead(name: string, file: DiskFile | undefined): void {
    const pending = this.#names.get(name) ?? new Pending<DiskFile | undefined>(undefined)
    pending.put(file, this.#now)
    this.#names.set(name, pending)
  }

  #settleNames(): void {
    this.#syncedAt = this.#now
    for (const pending of this.#names.values()) pending.settle()
  }
}

class DiskFile {
  /** Content as the program sees it. */
  #bytes = Buffer.alloc(0)
  #onDisk = Buffer.alloc(0)
  readonly #size = new Pending(0)
  /** Pending writes of each sector since the last sync. */
  readonly #sectors = new Map<number, Pending<Buffer>>()
  #syncedAt: number

  constructor(now: number) {
    this.#syncedAt = now
  }

  write(offset: number, bytes: Buffer, now: number): void {
    const end = offset + bytes.length
    if (end > this.#bytes.length) this.resize(end, now)
    bytes.copy(this.#bytes, offset)
    this.#change(offset, end, now)
  }

  resize(size: number, now: number): void {
    const before = this.#bytes.length
    const resized = Buffer.alloc(size)
    this.#bytes.copy(resized)
    this.#bytes = resized
    this.#size.put(size, now)
    this.#change(Math.min(size, before), Math.max(size, before), now)
  }

  sync(now: number): void {
    this.#syncedAt = now
    this.#onDisk = Buffer.from(this.#bytes)
    this.#size.settle()
    this.#sectors.clear()
  }

  image(loss: Loss, now: number): Buffer {
    const draw = () => drawMoment(loss, this.#syncedAt, now)
    const momentOfFile = draw()
    const moments = new Map<number, number>()
    const image = Buffer.alloc(this.#size.at(momentOfFile))
    const kept = this.#onDisk.copy(image)
    if (loss.isNoisy) for (let at = kept; at < image.length; at += 1) image[at] = Math.floor(loss.random() * 256)
    for (const [sector, pending] of this.#sectors) {
      const offset = sector * sectorBytes
      const granule = Math.floor(offset / loss.granule)
      const moment = loss.granule === wholeFile ? momentOfFile : (moments.get(granule) ?? draw())
      moments.set(granule, moment)
      pending.at(moment).copy(image, offset)
    }
    return image
  }

  #change(from: number, to: number, now: number): void {
    for (let sector = Math.floor(from / sectorBytes); sector * sectorBytes < to; sector += 1) {
      const [start, end] = [sector * sectorBytes, (sector + 1) * sectorBytes]
      const pending = this.#sectors.get(sector) ?? new Pending(this.#onDisk.subarray(start, end))
      pending.put(Buffer.from(this.#bytes.subarray(start, end)), now)
      this.#sectors.set(sector, pending)
    }
  }
}

/** A value on its way to the disk, with what it was at each moment since it was surely there. */
class Pending<Value> {
  #values: { readonly value: Value; readonly since: number }[]

  constructor(onDisk: Value) {
    this.#values = [{ value: onDisk, since: 0 }]
  }

  put(value: Value, now: number): void {
    this.#values.push({ value, since: now })
  }

  settle(): void {
    this.#values = this.#values.slice(-1)
  }

  at(moment: number): Value {
    return (this.#values.findLast(({ since }) => since <= moment) ?? this.#values[0]!).value
  }
}

/** Granule of whole files: all of a file shares a moment, and so it is as the program saw it at that moment. */
export const wholeFile = Number.POSITIVE_INFINITY

function drawMoment({ present, synced, random }: Loss, syncedAt: number, now: number): number {
  const chance = random()
  if (chance < present) return now
  if (chance < present + synced) return syncedAt
  return syncedAt + Math.floor(random() * (now - syncedAt + 1))
}
