import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '../../src/storage/sqlite.ts'
import type { Stores } from '../../src/storage/storage.ts'
import { addCollaborations, anId, noon } from './records.ts'
import { temporaryFile } from './temporary-file.ts'

const invitations = 10_000

/** A collaboration with thousands of invitations, many of one moment, and the statements that a read sends. */
async function openLargeCollaboration() {
  const statements: string[] = []
  const connections: Database.Database[] = []
  const storage = await openSqlite(temporaryFile(), (path) => {
    const connection = new Database(path, { verbose: (statement) => statements.push(String(statement)) })
    connection.pragma('journal_mode = WAL')
    connection.pragma('synchronous = FULL')
    connection.pragma('foreign_keys = ON')
    connections.push(connection)
    return connection
  })
  onTestFinished(() => storage.close())
  await addCollaborations(storage)
  connections[0]!.exec(`
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${invitations})
    insert into invitations (invitation_id, collaboration_id, host_portal_id, guest_portal_url, state, workspaces, file,
      file_name, revision, created_at, modified_at, expires_at)
    select printf('%032x', n), '${anId(200)}', 'PortalOfMaps0001', 'https://guest.example.org', 'host_created', '[]',
      printf('%.1000c', 'x'), 'f', 1, ${noon} + n / 1000, ${noon}, ${noon} from numbers`)
  return {
    async plansOf(work: (stores: Stores) => Promise<unknown>): Promise<string[]> {
      statements.length = 0
      await storage.read(work)
      const sent = statements.filter((statement) => statement.startsWith('select'))
      expect(sent.length).toBeGreaterThan(0)
      return sent.flatMap((statement) =>
        (connections[1]!.prepare(`explain query plan ${statement}`).all() as { detail: string }[]).map(
          ({ detail }) => detail,
        ),
      )
    },
    storage,
  }
}

test('pages of thousands of invitations are read from the index, in order, without sorting', async () => {
  const { plansOf, storage } = await openLargeCollaboration()
  for (const start of [1, 5_001, 9_991]) {
    const plans = await plansOf(({ collaborations }) => collaborations.listInvitations(anId(200), { start, num: 10 }))
    expect(plans).toEqual(Array(plans.length).fill(expect.stringContaining('USING')))
    expect(plans.join('\n')).toContain('invitations_by_collaboration (collaboration_id=?)')
    expect(plans.join('\n')).not.toMatch(/SCAN|TEMP B-TREE/)
  }
  const last = await storage.read(({ collaborations }) =>
    collaborations.listInvitations(anId(200), { start: 9_992, num: 10 }),
  )
  expect(last.total).toBe(invitations)
  expect(last.entries.map(({ invitationId }) => Number.parseInt(invitationId, 16))).toEqual([
    991, 992, 993, 994, 995, 996, 997, 998, 999,
  ])
})

test('what every request of a collaboration looks up is found by an index', async () => {
  const { plansOf } = await openLargeCollaboration()
  const plans = await plansOf(async ({ tokens, directory, collaborations, categories }) => {
    await tokens.findTokenUser('a')
    await directory.findPortal('PortalOfMaps0001')
    await directory.findUser('anna')
    await directory.findMember(anId(100), anId(1))
    await collaborations.findCollaboration(anId(200))
    await collaborations.listCollaborations('PortalOfMaps0001', { start: 1, num: 10 })
    await collaborations.listWorkspaces(anId(200))
    await collaborations.findInvitation(anId(1))
    await collaborations.listSteps(anId(1))
    await categories.findDocument({ kind: 'portal', portalId: 'PortalOfMaps0001' })
  })
  expect(plans.filter((plan) => /^SCAN|TEMP B-TREE/.test(plan))).toEqual([])
})
