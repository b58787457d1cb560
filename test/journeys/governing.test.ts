import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { paste, readDocument, shellBlocks, shownIn, startServer, walkPassword } from './shell-walk.ts'

const [start, walk] = shellBlocks(readDocument('docs/governing.md'), 'A walk')

test('the walk through the government of a schema answers what it shows, and nothing else', async () => {
  await using server = await startServer()
  const folder = await mkdtemp(join(tmpdir(), 'governing-'))
  try {
    const environment = { API: server.api, PASSWORD: walkPassword }
    const { stdout } = await paste(`set -e\n${walk}`, environment, folder)
    expect(stdout.trimEnd().split('\n')).toEqual(shownIn(walk!))
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('the walk begins with a server that keeps nothing and has its password', () => {
  expect(start).toBe(`ADMIN_PASSWORD='${walkPassword}' DATABASE_URL=file::memory: npm start\n`)
  expect(walk).toContain(`PASSWORD=\${PASSWORD:-${walkPassword}}\n`)
})
