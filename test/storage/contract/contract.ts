import { describe, onTestFinished } from 'vitest'
import { appsContract } from './apps.contract.ts'
import { auditContract } from './audit.contract.ts'
import { auditLogContract } from './audit-log.contract.ts'
import { countedPathsContract } from './carried-paths/counts.contract.ts'
import { movedPathsContract } from './carried-paths/moves.contract.ts'
import { categoriesContract } from './categories.contract.ts'
import { collaborationsContract } from './collaborations.contract.ts'
import { directoryContract } from './directory.contract.ts'
import { endedLinksContract } from './ended-links.contract.ts'
import { groupRequestsContract } from './group-requests.contract.ts'
import { groupsContract } from './groups.contract.ts'
import { growthContract } from './growth.contract.ts'
import { identityContract } from './identity.contract.ts'
import { invitationsContract } from './invitations.contract.ts'
import { itemsContract } from './items.contract.ts'
import { membersContract } from './members.contract.ts'
import { oauthContract } from './oauth.contract.ts'
import { participantsContract } from './participants.contract.ts'
import { participationsContract } from './participations.contract.ts'
import type { OpenStorage } from './records.ts'
import { schemaHistoryContract } from './schema-history.contract.ts'
import { tokensContract } from './tokens.contract.ts'
import { transactionsContract } from './transactions.contract.ts'

/** What every engine promises to the rooms. Each test gets an empty storage of its own. */
export function describeStorage(engine: string, openStorage: OpenStorage): void {
  const open: OpenStorage = async () => {
    const storage = await openStorage()
    onTestFinished(() => storage.close())
    return storage
  }
  describe(engine, () => {
    describe('transactions', () => transactionsContract(open))
    describe('directory', () => directoryContract(open))
    describe('groups', () => groupsContract(open))
    describe('members', () => membersContract(open))
    describe('group requests', () => groupRequestsContract(open))
    describe('tokens', () => tokensContract(open))
    describe('apps', () => appsContract(open))
    describe('oauth', () => oauthContract(open))
    describe('identities', () => identityContract(open))
    describe('categories', () => categoriesContract(open))
    describe('items', () => itemsContract(open))
    describe('links that end', () => endedLinksContract(open))
    describe('versions of category schemas', () => schemaHistoryContract(open))
    describe('moved paths', () => movedPathsContract(open))
    describe('counted paths', () => countedPathsContract(open))
    describe('growth', () => growthContract(open))
    describe('collaborations', () => collaborationsContract(open))
    describe('participants', () => participantsContract(open))
    describe('invitations', () => invitationsContract(open))
    describe('participations', () => participationsContract(open))
    describe('audit', () => auditContract(open))
    describe('log', () => auditLogContract(open))
  })
}
