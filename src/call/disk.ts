import { diskNearlyFull } from '../errors.ts'
import type { Call } from './call.ts'

/** The disk of a database that is a file of this machine. */
export interface DiskSpace {
  /** Bytes that can be added: free space on the disk and in the file. */
  readonly free: number
  /** Size of the disk in bytes. */
  readonly size: number
}

export interface DiskReader {
  /** Undefined where the disk is not this machine's. May be some writes old unless `isFresh`. */
  findSpace(isFresh?: boolean): Promise<DiskSpace | undefined>
}

/** Minimum bytes that stay free. */
export function floorOf({ size }: DiskSpace, { freeBytes, freePercent }: Call['limits']): number {
  return Math.max(freeBytes, (size * freePercent) / 100)
}

/** Always false where the floor is 0: then SQLite itself refuses when the disk is full. */
export function isBelowFloor(space: DiskSpace, limits: Call['limits']): boolean {
  const floor = floorOf(space, limits)
  return floor > 0 && space.free < floor
}

/** Refuses to add data to a nearly full disk: the rest is reserved for sign-ins and for operations that free space. */
export async function requireSpace(
  { disk }: { readonly disk: DiskReader },
  { limits }: Pick<Call, 'limits'>,
): Promise<void> {
  const space = await disk.findSpace()
  if (!space || !isBelowFloor(space, limits)) return
  const now = await disk.findSpace(true)
  if (now && isBelowFloor(now, limits)) throw diskNearlyFull()
}
