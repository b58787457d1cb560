import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Example } from '../../src/http/endpoints/endpoint.ts'
import { endpointTable } from '../../src/http/endpoints/table.ts'
import { RewindableFile } from '../support/databases/rewindable-sqlite.ts'
import { callExample } from '../support/portal/example-call.ts'
import { type ExampleWorld, openExampleWorld } from '../support/portal/example-world.ts'

/**
 * The documented examples on servers whose writes another thread does: what goes there and what comes back has to be
 * plain values. A server for each would take long; the files go back to how they were before.
 */

const writes = endpointTable.filter(({ kind }) => kind === 'operation')
const moments: readonly Example['moment'][] = [undefined, 'accepted', 'imported']

describe.each(moments)('where the handshake is: %s', (moment) => {
  const files = { host: new RewindableFile(), guest: new RewindableFile() }
  let world: ExampleWorld

  beforeAll(async () => {
    world = await openExampleWorld(moment, (organization) => files[organization].environment['DATABASE_URL']!)
    for (const file of Object.values(files)) await file.keep()
  })

  beforeEach(async () => {
    for (const file of Object.values(files)) await file.rewind()
    world.drawAgain()
  })

  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    for (const file of Object.values(files)) await file.close()
  })

  const rows = writes.filter(({ example }) => example.moment === moment).map((row) => [row.id, row] as const)

  test.each(rows)('%s answers what is documented', async (_id, row) => {
    expect(await callExample(row, world)).toStrictEqual(row.example.answer)
  })
})
