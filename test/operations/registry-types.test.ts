import { expect, expectTypeOf, test } from 'vitest'
import type { auditedOperations } from '../../src/audit/actions.ts'
import { type ApiRequest, endpointsOf } from '../../src/http/endpoints/endpoint.ts'
import { success, successShape } from '../../src/http/shapes/success.ts'
import type { readingVerbs } from '../../src/operations/attempt.ts'
import type { WriteCommand } from '../../src/operations/command.ts'
import { write } from '../../src/operations/execute.ts'
import type { CommandId, EffectOf, InputOf, OutputOf, Query, queries } from '../../src/operations/registry.ts'
import type { Readers, Storage, Stores } from '../../src/storage/storage.ts'
import { anAuditEntry } from '../storage/contract/records.ts'

/** Promises of the compiler: each mistake below fails type-checking, and so does a line that expects one in vain. */

const storage = {} as Storage<WriteCommand>
const remove = async ({ directory }: Stores): Promise<void> => directory.removeUser('a')

const asked = { tokenHash: undefined, now: 0, problems: [], origin: { address: '', target: '', requestId: '' } }

test('a query cannot write', () => {
  // @ts-expect-error: its stores have no verb that writes.
  const forgetful: Query<undefined, boolean> = ({ tokens }) => tokens.removeToken('a')
  // @ts-expect-error: what wants stores that write is no query.
  const removing: Query<undefined, void> = remove
  // @ts-expect-error: nor can a read of a storage.
  const reading = () => storage.read(({ directory }) => directory.removeUser('a'))
  // @ts-expect-error: nor does a read add to the audit.
  const auditing = () => storage.read(({ audit }) => audit.add(anAuditEntry()))
  expectTypeOf([forgetful, removing, reading, auditing]).toBeArray()
  expectTypeOf<keyof Readers>().toEqualTypeOf<keyof Stores>()
})

test('a check of permission lets every method through that reads, and none that writes', () => {
  type MethodsOf<Rooms> = { [Room in keyof Rooms]: keyof Rooms[Room] }[keyof Rooms]
  type Reading = `${(typeof readingVerbs)[number]}${Capitalize<string>}`
  type Writing = Exclude<MethodsOf<Stores>, MethodsOf<Readers>>
  expectTypeOf<Exclude<MethodsOf<Readers>, Reading>>().toBeNever()
  expectTypeOf<Extract<Writing, Reading>>().toBeNever()
})

test('every operation that is audited has a type of target and an action, and no other has', () => {
  type Unaudited =
    | 'recordRefusal'
    | 'putChecksums'
    | 'indexLog'
    | 'markReminded'
    | 'eraseNames'
    | 'endErasure'
    | 'endOldDrafts'
    | 'putCoverage'
    | 'putItemCounts'
    | 'removeEndedLinks'
    | 'removeExpiredTokens'
    | 'removeOldCoverage'
    | 'removeOldEntries'
    | 'removeOldGroupRequests'
    | 'removeOldJobs'
    | 'removeOldSchemaVersions'
    | 'publishDueDraft'
    | 'stepJob'
    | 'leaseJob'
    | 'recordFailedStep'
    | 'sumUpItemCounts'
    | 'claimDeliveries'
    | 'deactivateUnread'
    | 'noteServing'
    | 'removeOldDeliveries'
    | 'settleDelivery'
  expectTypeOf<keyof typeof auditedOperations>().toEqualTypeOf<Exclude<CommandId, Unaudited>>()
})

test('a command names an operation that the registry has', () => {
  // @ts-expect-error: there is no such operation.
  const unknown: WriteCommand = { ...asked, operation: 'dropTables', input: undefined }
  // @ts-expect-error: a query is no command.
  const query: WriteCommand = { ...asked, operation: 'readPortal', input: undefined }
  // @ts-expect-error: nor is a function.
  const closure = () => storage.write(remove)
  expectTypeOf([unknown, query, closure]).toBeArray()
})

test('a command has the input of its own operation, and the output of it', () => {
  const input = { portalId: 'self', collaborationId: '', invitationId: '' }
  const invalidate = () => write(storage, { ...asked, operation: 'invalidateInvitation', input })
  // @ts-expect-error: the input is of another operation.
  const other = () => write(storage, { ...asked, operation: 'createGroup', input })
  // @ts-expect-error: the same, where the storage takes it.
  const direct = () => storage.write({ ...asked, operation: 'createGroup', input })
  expectTypeOf([other, direct]).toBeArray()
  expectTypeOf(invalidate).returns.resolves.toEqualTypeOf<OutputOf<'invalidateInvitation'>>()
  expectTypeOf<OutputOf<'deleteItems'>>().toHaveProperty('outcomes')
  expectTypeOf<OutputOf<'deleteItems'>>().not.toHaveProperty('audit')
  expectTypeOf<InputOf<'readSelf'>>().toEqualTypeOf<undefined>()
  expectTypeOf<OutputOf<'readPortal'>>().toEqualTypeOf<Awaited<ReturnType<typeof queries.readPortal>>>()
})

test('a row has the effect of its operation', () => {
  const endpoint = endpointsOf('directory')
  const row = {
    title: '',
    task: '',
    path: '/portals/:portalId',
    parameters: {},
    token: 'required',
    who: '',
    summary: '',
    source: 'chosen',
    answers: { json: successShape },
    example: { answer: { success: true } },
    answer: async () => success,
  } as const
  // @ts-expect-error: creating a role changes something, which no row has to say.
  const harmless = () => endpoint({ ...row, id: 'createRole', effect: 'none' })
  const right = endpoint({ ...row, id: 'createRole' })
  expectTypeOf([harmless]).toBeArray()
  expect([right.effect, endpoint({ ...row, id: 'readPortal' }).effect]).toEqual(['change', 'none'])
  expect(endpoint({ ...row, id: 'exportInvitationResponse' }).effect).toBe('audit')
  expectTypeOf<EffectOf<'createRole'>>().toEqualTypeOf<'change'>()
  expectTypeOf<EffectOf<'validateInvitationResponse'>>().toEqualTypeOf<'audit'>()
  expectTypeOf<EffectOf<'readPortal'>>().toEqualTypeOf<'none'>()
})

test('an endpoint that reads has one query, and cannot ask for a second snapshot', () => {
  expectTypeOf<ApiRequest<'readPortal'>['read']>().toBeUndefined()
  expectTypeOf<ApiRequest<'updatePortal'>['read']>().toBeFunction()
})
