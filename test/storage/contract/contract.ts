import { afterAll, beforeAll, describe, onTestFinished } from 'vitest'
import type { ReusedDatabase } from '../reused-database.ts'
import { type WorkStorage, withoutHaste } from '../work-storage.ts'
import { appsContract } from './apps.contract.ts'
import { auditContract } from './audit.contract.ts'
import { auditLogContract } from './audit-log.contract.ts'
import { countedPathsContract } from './carried-paths/counts.contract.ts'
import { movedPathsContract } from './carried-paths/moves.contract.ts'
import { categoriesContract } from './categories.contract.ts'
import { collaborationsContract } from './collaborations.contract.ts'
import { coverageContract } from './coverage.contract.ts'
import { directoryContract } from './directory.contract.ts'
import { draftsContract } from './drafts.contract.ts'
import { endedLinksContract } from './ended-links.contract.ts'
import { groupRequestsContract } from './group-requests.contract.ts'
import { groupsContract } from './groups.contract.ts'
import { growthContract } from './growth.contract.ts'
import { identityContract } from './identity.contract.ts'
import { invitationsContract } from './invitations.contract.ts'
import { itemsContract } from './items.contract.ts'
import { jobsContract } from './jobs.contract.ts'
import { membersContract } from './members.contract.ts'
import { oauthContract } from './oauth.contract.ts'
import { participantsContract } from './participants.contract.ts'
import { participationsContract } from './participations.contract.ts'
import { roundTripsContract } from './round-trips.contract.ts'
import { schemaHistoryContract } from './schema-history.contract.ts'
import { templatesContract } from './templates.contract.ts'
import { tokensContract } from './tokens.contract.ts'
import { transactionsContract } from './transactions.contract.ts'
import { webhooksContract } from './webhooks.contract.ts'

/** An engine, on a database that the tests of a file share. */
export interface EngineOfContract<Database extends ReusedDatabase> {
  makeDatabase(): Promise<Database>
  open(database: Database): Promise<WorkStorage>
}

/** Contract of every storage engine. Each test gets an empty storage. */
export function describeStorage<Database extends ReusedDatabase>(
  engine: string,
  { makeDatabase, open: openOn }: EngineOfContract<Database>,
): void {
  let database: Database
  /** Storage of the test before, for the next one. */
  let spare: WorkStorage | undefined

  async function openSpare(): Promise<WorkStorage> {
    const storage = spare ?? withoutHaste(await openOn(database))
    spare = undefined
    onTestFinished(async () => {
      await database.empty()
      // Removing any app clears the cache of callers.
      await storage.write(({ oauth }) => oauth.removeApp('an app'))
      spare = storage
    })
    return storage
  }

  /** Opens another storage, for rooms that read documents: a storage caches those for good. */
  async function openAnew(): Promise<WorkStorage> {
    await spare?.close()
    spare = undefined
    const storage = withoutHaste(await openOn(database))
    onTestFinished(async () => {
      await database.empty()
      await storage.close()
    })
    return storage
  }

  describe(engine, () => {
    beforeAll(async () => {
      database = await makeDatabase()
    })
    afterAll(async () => {
      await spare?.close()
      await database.remove()
    })
    describe('transactions', () => transactionsContract(openAnew))
    describe('round trips', () => roundTripsContract(openSpare))
    describe('directory', () => directoryContract(openSpare))
    describe('groups', () => groupsContract(openSpare))
    describe('members', () => membersContract(openSpare))
    describe('group requests', () => groupRequestsContract(openSpare))
    describe('tokens', () => tokensContract(openSpare))
    describe('apps', () => appsContract(openSpare))
    describe('oauth', () => oauthContract(openSpare))
    describe('identities', () => identityContract(openSpare))
    describe('categories', () => categoriesContract(openAnew))
    describe('items', () => itemsContract(openSpare))
    describe('links that end', () => endedLinksContract(openSpare))
    describe('versions of category schemas', () => schemaHistoryContract(openAnew))
    describe('moved paths', () => movedPathsContract(openSpare))
    describe('counted paths', () => countedPathsContract(openSpare))
    describe('counts of days', () => coverageContract(openAnew))
    describe('growth', () => growthContract(openAnew))
    describe('collaborations', () => collaborationsContract(openSpare))
    describe('participants', () => participantsContract(openSpare))
    describe('invitations', () => invitationsContract(openSpare))
    describe('participations', () => participationsContract(openSpare))
    describe('jobs', () => jobsContract(openSpare))
    describe('drafts', () => draftsContract(openSpare))
    describe('templates', () => templatesContract(openSpare))
    describe('webhooks', () => webhooksContract(openSpare))
    describe('audit', () => auditContract(openSpare))
    describe('log', () => auditLogContract(openSpare))
  })
}
