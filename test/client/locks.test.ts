import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { withLock } from '../../src/client/files/lock.ts'

/** A folder with the lock of a process that is gone. */
function leaveLock() {
  const folder = mkdtempSync(join(tmpdir(), 'lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { pid } = spawnSync(process.execPath, ['--version'])
  const path = join(folder, 'lock')
  writeFileSync(path, String(pid))
  return { folder, path, pid }
}

test.each([1, 2])('of two commands that find the lock of one that is gone, one gets it (step %d)', async (step) => {
  const { folder, path } = leaveLock()
  const done = Promise.withResolvers<string>()
  const take = () => withLock(path, 1, 'It is held', () => done.promise).catch(({ message }) => message)
  let first: Promise<string> | undefined
  let looks = 0
  // Between what the second one finds and what it does, the first one does everything.
  const { kill } = process
  const spy = vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
    looks += 1
    if (looks === step) first = take()
    return kill.call(process, pid, signal)
  })
  onTestFinished(() => spy.mockRestore())
  const second = take()
  done.resolve('done')
  const sentence = `It is held; remove ${path} if none runs.`
  expect([await first!, await second].toSorted()).toEqual([sentence, 'done'])
  expect(readdirSync(folder)).toEqual([])
})

test('a lock is free again where a process was killed while it removed the lock of another', async () => {
  const { folder, path, pid } = leaveLock()
  writeFileSync(`${path}.${pid}`, String(pid))
  expect(await withLock(path, 1, 'It is held', async () => 'done')).toBe('done')
  expect(readdirSync(folder)).toEqual([])
})
