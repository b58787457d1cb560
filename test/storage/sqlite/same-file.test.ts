import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { requireSameFile } from '../../../src/storage/sqlite/connection.ts'
import { StorageUnavailable } from '../../../src/storage/storage.ts'
import { temporaryFile } from './temporary-file.ts'

function open() {
  const path = temporaryFile()
  writeFileSync(path, 'a database')
  return { path, check: requireSameFile(path) }
}

test('a file that is in its place is the same, whatever is written to it', () => {
  const { path, check } = open()
  expect(check).not.toThrow()
  writeFileSync(path, 'a longer database')
  expect(check).not.toThrow()
})

test.each([
  ['removed', (path: string) => rmSync(path)],
  ['moved', (path: string) => renameSync(path, `${path}.moved`)],
  [
    'replaced by a copy',
    (path: string) => {
      cpSync(path, `${path}.copy`)
      renameSync(`${path}.copy`, path)
    },
  ],
])('a file that was %s is not', (_, harm) => {
  const { path, check } = open()
  harm(path)
  expect(check).toThrow(StorageUnavailable)
  expect(check).toThrow(`${path} was moved, removed or replaced; `)
})

test('a file that was put back is the same again', () => {
  const { path, check } = open()
  renameSync(path, `${path}.moved`)
  expect(check).toThrow(StorageUnavailable)
  renameSync(`${path}.moved`, path)
  expect(check).not.toThrow()
})
