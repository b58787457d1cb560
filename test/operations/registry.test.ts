import { describe, expect, test } from 'vitest'
import { ownerNames } from '../../src/categories/owners.ts'
import { endpointTable } from '../../src/http/endpoints/table.ts'
import { pageTable } from '../../src/http/sign-in/register-pages.ts'
import { auditedQueries, changes, commands, queries, searches } from '../../src/operations/registry.ts'

describe('every operation', () => {
  test.each([
    ['queries', queries],
    ['searches', searches],
    ['audited queries', auditedQueries],
    ['changes', changes],
  ])('of the %s has the name of its function as its id, or that name with the kind of the owner', (_, operations) => {
    const byFunction = Map.groupBy(Object.entries(operations), ([, { name }]) => name)
    for (const [name, entries] of byFunction) {
      const ofOwners = Object.values(ownerNames).map((owner) => name.replace(/[A-Z]/, `${owner}$&`))
      expect(
        entries.map(([id]) => id),
        name,
      ).toEqual(entries.length === 1 ? [name] : ofOwners)
    }
    expect(byFunction.size).not.toBe(0)
  })

  test('is of one kind', () => {
    const ids = [queries, searches, auditedQueries, changes].flatMap((operations) => Object.keys(operations))
    expect(new Set(ids).size).toBe(ids.length)
    expect(Object.keys(commands)).toEqual([auditedQueries, changes].flatMap((operations) => Object.keys(operations)))
  })

  test('has an endpoint that leaves behind what the registry says, unless the program itself runs it', () => {
    const effects: Record<string, string> = {}
    for (const id of Object.keys({ ...queries, ...searches })) effects[id] = 'none'
    for (const id of Object.keys(auditedQueries)) effects[id] = 'audit'
    for (const id of Object.keys(changes)) effects[id] = 'change'
    const rows = new Map([...endpointTable, ...pageTable].map(({ id, effect }) => [id, effect]))
    const withoutEndpoint = Object.keys(effects).filter((id) => !rows.has(id))
    expect(withoutEndpoint.toSorted()).toEqual([
      'claimDeliveries',
      'continueToApp',
      'countCoverage',
      'createPortal',
      'createUserByOperator',
      'deactivateUnread',
      'endErasure',
      'endOldDrafts',
      'eraseNames',
      'eraseUser',
      'findItemIds',
      'indexLog',
      'leaseJob',
      'markReminded',
      'mergeGroupCategorySchema',
      'mergePortalCategorySchema',
      'noteServing',
      'overflowWebhook',
      'planGroupSchemaDeletion',
      'planGroupSchemaDraft',
      'planGroupSchemaRestore',
      'planHistoryEntryRevert',
      'planItemCategories',
      'planItemRunRevert',
      'planPortalSchemaDeletion',
      'planPortalSchemaDraft',
      'planPortalSchemaRestore',
      'publishDueDraft',
      'putChecksums',
      'putCoverage',
      'putItemCounts',
      'recordFailedStep',
      'recordRefusal',
      'recoverByLink',
      'recoverDisabled',
      'recoverEnabled',
      'recoverPassword',
      'recoverRole',
      'recoverSessions',
      'registerOperatorApp',
      'removeEndedLinks',
      'removeExpiredTokens',
      'removeOldCoverage',
      'removeOldDeliveries',
      'removeOldEntries',
      'removeOldGroupRequests',
      'removeOldJobs',
      'removeOldSchemaVersions',
      'renewFirstRun',
      'renewOperatorSecret',
      'renewPortalKeys',
      'resealPortalKeys',
      'settleDelivery',
      'stepJob',
      'sumUpItemCounts',
      'switchOperatorApp',
      'unregisterOperatorApp',
    ])
    for (const [id, effect] of Object.entries(effects)) expect(rows.get(id) ?? effect, id).toBe(effect)
  })
})
