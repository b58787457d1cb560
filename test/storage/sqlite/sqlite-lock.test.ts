import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { symlinkSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { StorageUnavailable } from '../../../src/storage/storage.ts'
import { aPortal } from '../contract/records.ts'
import { openWorkFile } from '../work-storage.ts'
import { temporaryFile } from './temporary-file.ts'

const source = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)

/** A process of its own that opens a database, prints in one line how that went, and holds on to it. */
const script = `
  const { openSqlite } = await import(${source('../../../src/storage/sqlite/sqlite.ts')})
  const { aKey, aPortal } = await import(${source('../contract/records.ts')})
  try {
    const storage = await openSqlite(process.argv[1], ({ directory }) => directory.addPortal(aPortal(), aKey))
    await storage.write('add a portal')
    console.log('written')
    setInterval(() => storage, 1000)
  } catch (error) {
    console.log(error.message)
  }`

/** Another process at the file, and the one line that it says. */
async function startProcess(file: string): Promise<{ child: ChildProcess; said: string }> {
  const args = ['--input-type=module', '--eval', script, file]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const [line] = await once(child.stdout!, 'data')
  return { child, said: String(line).trim() }
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

test('a file that is open is refused in one sentence', async () => {
  const file = temporaryFile()
  const storage = await openWorkFile(file)
  const second = openWorkFile(file)
  await expect(second).rejects.toBeInstanceOf(StorageUnavailable)
  await expect(second).rejects.toThrow(`The database ${file} is in use by another process; stop that one first.`)
  await storage.close()
})

test('a file that another process has open is refused, and is free as soon as that process was killed', async () => {
  const file = temporaryFile()
  const { child, said } = await startProcess(file)
  expect(said).toBe('written')
  await expect(openWorkFile(file)).rejects.toThrow('is in use by another process')
  await kill(child)
  const storage = await openWorkFile(file)
  const portal = await storage.directory.findPortal(aPortal().portalId)
  await storage.close()
  expect(portal?.name).toBe(aPortal().name)
})

test('a closed file is free', async () => {
  const file = temporaryFile()
  for (let round = 0; round < 3; round += 1) await (await openWorkFile(file)).close()
  const storage = await openWorkFile(file)
  await expect(storage.ping()).resolves.toBeUndefined()
  await storage.close()
})

test('a file under another name is the same file', async () => {
  const file = temporaryFile()
  const storage = await openWorkFile(file)
  symlinkSync(file, `${file}.link`)
  await expect(openWorkFile(`${file}.link`)).rejects.toThrow('is in use by another process')
  await storage.close()
})

test('a start that fails lets go of the file', async () => {
  const file = temporaryFile()
  const failing = openWorkFile(file, () => {
    throw new StorageUnavailable('not today')
  })
  await expect(failing).rejects.toThrow('not today')
  await (await openWorkFile(file)).close()
})
