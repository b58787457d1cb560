import { execFile } from 'node:child_process'
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { readDocument } from '../journeys/shell-walk.ts'
import { Folder } from '../support/portal/process.ts'
import { theRelease, unpack } from '../support/release/artefact.ts'

const packages = fileURLToPath(new URL('../../node_modules', import.meta.url))
const guide = readDocument('docs/testing.md')

/** Blocks with a file name, by that name. */
const files = new Map([...guide.matchAll(/```\w+ (\S+\.\w+)\n(.*?)```/gs)].map(([, name, text]) => [name!, text!]))

test('the documented test of another program passes against the released artefact', async () => {
  using folder = new Folder()
  const modules = join(folder.path, 'node_modules')
  mkdirSync(modules)
  renameSync(unpack(theRelease(), folder.path), join(modules, 'cartulary'))
  symlinkSync(join(packages, '@esri'), join(modules, '@esri'))
  expect([...files.keys()]).toEqual(['seed.json', 'forests.test.mjs'])
  for (const [name, text] of files) writeFileSync(join(folder.path, name), text)
  expect(guide).toContain('\nnode --test forests.test.mjs\n')
  const words = ['--test', '--test-reporter=tap', 'forests.test.mjs']
  const { stdout } = await promisify(execFile)(execPath, words, { cwd: folder.path, env: { PATH: '' } })
  expect(stdout).toMatch(/^# pass 1$/m)
  expect(stdout).toMatch(/^# fail 0$/m)
})
