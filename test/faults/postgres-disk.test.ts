import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { Postgres, queryAt } from '../support/databases/postgres.ts'
import { Observer } from './observer.ts'
import { reachPortal, startOnPostgres } from './servers.ts'
import { assignUntilRefused, diskOf, fillDisk, makeRoom, onSmallDisks, programs, withSmallDisk } from './small-disk.ts'

/** PostgreSQL runs as the user that owns nothing, where the tests are root; it sees what is that user's. */
const nobody = 65_534
const identity = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}

/** A small disk that PostgreSQL sees for as long as somebody holds it. */
async function openDisk() {
  const [name, ...words] = [...withSmallDisk, '/bin/sh', '-c', 'echo mounted && exec sleep 60']
  const holder = spawn(name!, words, { ...identity, env: programs, stdio: ['ignore', 'pipe', 'inherit'] })
  await once(holder.stdout, 'data')
  return {
    folder: diskOf(holder.pid),
    async [Symbol.asyncDispose]() {
      holder.kill('SIGKILL')
      if (holder.exitCode === null && holder.signalCode === null) await once(holder, 'exit')
    },
  }
}

test.for(onSmallDisks)('a PostgreSQL whose disk is full refuses writes, until there is room (%s)', async () => {
  await using disk = await openDisk()
  await using postgres = await Postgres.open()
  const url = await postgres.createDatabase()
  await using portal = await startOnPostgres(url)
  const observer = await Observer.open(await reachPortal(portal))
  await postgres.query(`create tablespace small location '${disk.folder}'`)
  for (const table of ['category_schema_versions', 'audit']) {
    await queryAt(url, `alter table ${table} set tablespace small`)
  }
  expect(await observer.assign()).toBe('done')
  fillDisk(disk.folder, identity)
  await assignUntilRefused(observer)
  const grow = 'insert into audit (happened_at, address, operation, target, outcome, request_id) '
  const rows = "select 0, '', repeat('x', 1000), '', 0, '' from generate_series(1, 100)"
  await expect(queryAt(url, grow + rows)).rejects.toMatchObject({ code: '53100' })
  const { status } = await observer.reach.get('/health/ready')
  expect(status).toBe(200)
  makeRoom(disk.folder)
  expect(await observer.assign()).toBe('done')
  await observer.requireTruth((sql) => queryAt(url, sql))
})
