import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Observer } from './observer.ts'

/** Folders of the programs that a shell finds. */
export const programs = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' }

/** Becomes another program, which has a file system of so many megabytes of its own at /mnt, in memory. */
export function withDiskOf(megabytes: number) {
  const mount = `mount -t tmpfs -o size=${1024 * megabytes}k tmpfs /mnt && exec "$@"`
  return ['unshare', '--user', '--map-root-user', '--mount', '/bin/sh', '-c', mount, 'sh'] as const
}

export const withSmallDisk = withDiskOf(8)

const [unshare, ...words] = withSmallDisk

/** Cases of tests on a small disk: none where a user may not mount a file system. */
export const onSmallDisks: readonly 'on a small disk'[] =
  spawnSync(unshare, [...words, 'true'], { env: programs }).status === 0 ? ['on a small disk'] : []

/** Path of that file system for other processes. */
export function diskOf(pid: number | undefined): string {
  return `/proc/${pid}/root/mnt`
}

/** Fills whatever room there is, as the user that the file system is of. */
export function fillDisk(disk: string, user: { readonly uid?: number; readonly gid?: number } = {}): void {
  spawnSync('/bin/sh', ['-c', `exec cat /dev/zero > ${join(disk, filler)}`], { ...user, env: programs })
}

export function makeRoom(disk: string): void {
  rmSync(join(disk, filler))
}

const filler = 'filler'
const maxTries = 400

/** Assigns until one is refused. */
export async function assignUntilRefused(observer: Observer): Promise<void> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    if ((await observer.assign()) === 'refused') return
  }
  throw new Error(`${maxTries} assigns were taken and none refused.`)
}
