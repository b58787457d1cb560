import { randomBytes } from 'node:crypto'
import { open, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { startLooks } from '../../background/loop.ts'

/** Parts of the program that the reserve needs. */
export interface ReserveNeeds {
  /** The SQLite file. */
  readonly file: string
  /** 0 for no reserve. */
  readonly megabytes: number
  /** The reserve was made; also again, after it was deleted. */
  onMade(path: string): void
}

/**
 * A file beside the database that only takes room: on a full disk every sign-in is refused, as it writes, until the operator
 * deletes it. Made where the disk has room for several of them, so that making it again does not fill the disk.
 */
export interface DiskReserve {
  /** Makes the file where it is not there and has room. */
  run(): Promise<void>
  end(): Promise<void>
}

export function reserveOf(file: string): string {
  return `${file}.reserve`
}

/** Number of times its size that has to be free (chosen). */
const minFree = 3
const megabyte = 1_000_000
const lookInterval = 10_000

/** Looks now and once in ten seconds whether the reserve is there. */
export function openDiskReserve({ file, megabytes, onMade }: ReserveNeeds): DiskReserve {
  const path = reserveOf(file)
  let isEnding = false

  async function make(): Promise<void> {
    if (megabytes === 0 || isEnding || (await isThere(path))) return
    const { bavail, bsize } = await statfs(dirname(path))
    if (bavail * bsize < minFree * megabytes * megabyte) return
    try {
      await fill(`${path}.part`, megabytes)
      await rename(`${path}.part`, path)
      onMade(path)
    } catch {
      // The disk has filled up meanwhile, or does not let us: there is no reserve then, as doctor says.
      await rm(`${path}.part`, { force: true })
    }
  }

  const looks = startLooks(() => make().catch(() => undefined), lookInterval)
  return {
    run: looks.run,
    end() {
      isEnding = true
      return looks.end()
    },
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** Random bytes, as some file systems store nothing for zeros, nor for what they have already. */
async function fill(path: string, megabytes: number): Promise<void> {
  const draft = await open(path, 'w', 0o600)
  try {
    for (let written = 0; written < megabytes; written += 1) await draft.write(randomBytes(megabyte))
    await draft.sync()
  } finally {
    await draft.close()
  }
}
