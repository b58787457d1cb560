import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { onSmallDisks, programs, withSmallDisk } from '../../faults/small-disk.ts'

const program = fileURLToPath(new URL('./full-disk-program.ts', import.meta.url))
const [unshare, ...words] = withSmallDisk

describe.each(onSmallDisks)('a commit that finds the disk full (%s)', () => {
  test.each([
    ['the main thread', []],
    ['a thread of its own', ['thread']],
  ] as const)('fails for all of its group, keeps nothing of it, and the next has room again: %s', (_, thread) => {
    const { stdout, stderr } = spawnSync(unshare, [...words, process.execPath, program, ...thread], {
      env: programs,
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual({
      whenFull: { outcomes: ['The database cannot be used: database or disk is full (SQLITE_FULL).'], lost: 0 },
      withRoom: { outcomes: ['done'], lost: 0 },
    })
  })
})
