import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigError, readConfig } from '../../src/config.ts'
import { openDependencies } from '../../src/dependencies.ts'
import { findExposure, readSecretFile } from '../../src/secrets/secret-file.ts'
import { rejectionOf } from '../support/rejection.ts'

/** A folder that goes when the test ends. */
class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'cartulary-'))

  at(name: string): string {
    return join(this.path, name)
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

test('where there is no file a secret of 256 bits is made, for the owner’s eyes only', () => {
  using folder = new Folder()
  const secret = readSecretFile(folder.at('new/deep/secret.key'))
  expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(readFileSync(folder.at('new/deep/secret.key'), 'utf8')).toBe(`${secret}\n`)
  expect(statSync(folder.at('new/deep/secret.key')).mode & 0o777).toBe(0o600)
  expect(statSync(folder.at('new/deep')).mode & 0o777).toBe(0o700)
  expect(readdirSync(folder.at('new/deep'))).toEqual(['secret.key'])
})

test('the file keeps its secret', () => {
  using folder = new Folder()
  const secret = readSecretFile(folder.at('secret.key'))
  expect(readSecretFile(folder.at('secret.key'))).toBe(secret)
})

test('two files have two secrets', () => {
  using folder = new Folder()
  expect(readSecretFile(folder.at('one.key'))).not.toBe(readSecretFile(folder.at('two.key')))
})

test('a secret written by hand is taken without the spaces around it, and left as it is', () => {
  using folder = new Folder()
  writeFileSync(folder.at('secret.key'), '  written by hand \n\n')
  chmodSync(folder.at('secret.key'), 0o400)
  expect(readSecretFile(folder.at('secret.key'))).toBe('written by hand')
  expect(readFileSync(folder.at('secret.key'), 'utf8')).toBe('  written by hand \n\n')
})

test('a folder is no secret', () => {
  using folder = new Folder()
  mkdirSync(folder.at('secret.key'))
  expect(() => readSecretFile(folder.at('secret.key'))).toThrow()
})

test.each([
  ['empty', '', 0],
  ['cut off', 'x'.repeat(31), 31],
])('a start with a file that is %s is refused in one sentence', async (_name, text, length) => {
  using folder = new Folder()
  const path = folder.at('secret.key')
  writeFileSync(path, text)
  const config = readConfig({ DATABASE_URL: 'file::memory:', SECRET_KEY_FILE: path })
  const refusal = await rejectionOf(openDependencies(config), ConfigError)
  expect(refusal.message).toBe(`The secret in ${path} has ${length} characters; it has to have 32 or more.`)
})

test('a start with a file of one letter is refused, and as the previous secret it is accepted', async () => {
  using folder = new Folder()
  const [weak, good] = [folder.at('weak.key'), folder.at('good.key')]
  writeFileSync(weak, 'x'.repeat(40))
  const memory = { DATABASE_URL: 'file::memory:' }
  const config = readConfig({ ...memory, SECRET_KEY_FILE: weak })
  const refusal = await rejectionOf(openDependencies(config), ConfigError)
  expect(refusal.message).toContain(`The secret in ${weak} can be guessed: of its 40 characters only 1 differ; `)
  const replaced = readConfig({ ...memory, SECRET_KEY_FILE: good, PREVIOUS_SECRET_KEY_FILE: weak })
  await (await openDependencies(replaced)).storage.close()
})

test.each([
  [0o600, undefined],
  [0o400, undefined],
  [0o644, '644'],
  [0o440, '440'],
  [0o602, '602'],
])('a file of mode %o: %s', (mode, warned) => {
  using folder = new Folder()
  const path = folder.at('secret.key')
  expect(findExposure(path)).toBeUndefined()
  readSecretFile(path)
  chmodSync(path, mode)
  const sentence = `Others than its owner may use the file of the secret (mode ${warned}): chmod 600 ${path}.`
  expect(findExposure(path)).toBe(warned && sentence)
})

test('a start with a file that cannot be read is refused in one sentence', async () => {
  using folder = new Folder()
  const config = readConfig({ DATABASE_URL: 'file::memory:', SECRET_KEY_FILE: folder.path })
  const refusal = await rejectionOf(openDependencies(config), ConfigError)
  expect(refusal.message).toContain(`The file of the secret, ${folder.path}, cannot be used: `)
})
