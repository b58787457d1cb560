import Database from 'better-sqlite3'
import { beforeAll, expect, test } from 'vitest'
import { invitationSortFields } from '../../../src/collaborations/store.ts'
import { sortOrders } from '../../../src/directory/group.ts'
import type { Readers } from '../../../src/storage/storage.ts'
import { Folder } from '../../support/portal/process.ts'
import { addCollaborations, anId, newestFirst, noon } from '../contract/records.ts'
import { openWorkFile, type WorkStorage } from '../work-storage.ts'

const invitations = 10_000
const participants = 2_000

/** A collaboration with thousands of invitations, many of one moment, and the statements that a read sends. */
let storage: WorkStorage
let connection: Database.Database
const statements: string[] = []

beforeAll(async () => {
  const folder = new Folder()
  const connections: Database.Database[] = []
  storage = await openWorkFile(`${folder.path}/cartulary.db`, (path) => {
    const opened = new Database(path, { verbose: (statement) => statements.push(String(statement)) })
    opened.pragma('journal_mode = WAL')
    opened.pragma('synchronous = FULL')
    opened.pragma('foreign_keys = ON')
    connections.push(opened)
    return opened
  })
  connection = connections[1]!
  await addCollaborations(storage)
  connection.exec(`
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${invitations})
    insert into invitations (invitation_id, collaboration_id, host_portal_id, guest_portal_url, state, workspaces, file,
      digest, file_name, revision, created_at, modified_at, expires_at)
    select printf('%032x', n), '${anId(200)}', 'PortalOfMaps0001', 'https://guest' || n % 100 || '.example.org',
      case n % 2 when 0 then 'host_created' else 'host_accepted' end, '[]', printf('%.1500c', 'x'), 'd', 'f', 1,
      ${noon} + n / 1000, ${noon} - n, ${noon} + n % 7 from numbers;
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${participants})
    insert into participants (collaboration_id, portal_id, portal_name, portal_url, role, contact_first_name,
      contact_last_name, contact_email, created_at, modified_at)
    select '${anId(200)}', printf('Guest%011d', n), 'Guest', 'https://guest.example.org', 'Guest', '', '', '',
      ${noon} + n / 10, ${noon} from numbers`)
  return async () => {
    await storage.close()
    folder[Symbol.dispose]()
  }
})

/** Plan of SQLite for the queries of the work. */
async function plansOf(work: (stores: Readers) => Promise<unknown>): Promise<string[]> {
  statements.length = 0
  await storage.read(work)
  const sent = statements.filter((statement) => statement.startsWith('select'))
  expect(sent.length).toBeGreaterThan(0)
  return sent.flatMap((statement) =>
    (connection.prepare(`explain query plan ${statement}`).all() as { detail: string }[]).map(({ detail }) => detail),
  )
}

test.each(
  invitationSortFields.flatMap((sortField) => sortOrders.map((sortOrder) => ({ sortField, sortOrder }) as const)),
)('pages of thousands of invitations by $sortField $sortOrder come from an index, without sorting', async (order) => {
  for (const start of [1, 9_991]) {
    const plans = await plansOf(({ collaborations }) =>
      collaborations.listInvitations(anId(200), { status: undefined, ...order }, { start, num: 10 }),
    )
    expect(plans).toEqual([
      expect.stringMatching(/USING INDEX invitations_by_\w+ \(collaboration_id=\?\)$/),
      expect.stringMatching(/USING COVERING INDEX invitations_by_\w+ \(collaboration_id=\?\)$/),
    ])
  }
})

test('a deep page of thousands of invitations has the right ones', async () => {
  const last = await storage.collaborations.listInvitations(anId(200), newestFirst, { start: 9_992, num: 10 })
  expect(last.total).toBe(invitations)
  const ids = last.entries.map(({ invitationId }) => Number.parseInt(invitationId, 16))
  expect(ids).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1])
})

test('the invitations of one state are counted from the index, and found without a scan', async () => {
  for (const sortField of invitationSortFields) {
    const query = { status: 'host_created', sortField, sortOrder: 'desc' } as const
    const [, counted, ...more] = (
      await plansOf(({ collaborations }) => collaborations.listInvitations(anId(200), query, { start: 1, num: 10 }))
    ).filter((plan) => !plan.includes('TEMP B-TREE'))
    expect(counted).toContain('USING COVERING INDEX invitations_by_state (collaboration_id=? AND state=?)')
    expect(more).toEqual([])
  }
})

test('what every request of a collaboration looks up is found by an index', async () => {
  const plans = await plansOf(async ({ tokens, directory, collaborations, categories }) => {
    await tokens.findTokenUser('a')
    await directory.findPortal('PortalOfMaps0001')
    await directory.findUser('anna')
    await directory.findMember(anId(100), anId(1))
    await collaborations.findCollaboration(anId(200))
    await collaborations.listCollaborations('PortalOfMaps0001', { start: 1, num: 10 })
    await collaborations.listWorkspaces(anId(200))
    await collaborations.findInvitation(anId(1))
    await collaborations.findParticipant(anId(200), 'Guest00000000007')
    await collaborations.listParticipants(anId(200), { start: 1_991, num: 10 })
    await collaborations.findParticipation('PortalOfSeas0002', anId(200))
    await collaborations.listSteps(anId(1))
    await categories.findDocument({ kind: 'portal', portalId: 'PortalOfMaps0001' })
  })
  expect(plans.filter((plan) => /^SCAN|TEMP B-TREE/.test(plan))).toEqual([])
})
