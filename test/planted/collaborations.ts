import type { Fault } from './fault.ts'

/** The handshake of two portals: invitations, their files, signatures and keys. */
export const collaborations: readonly Fault[] = [
  {
    name: 'An invitation is good at the moment at which it ends',
    file: 'src/collaborations/invitation.ts',
    find: `state === 'host_created' && expiresAt <= now`,
    replace: `state === 'host_created' && expiresAt < now`,
    tests: ['test/rooms/invitation.test.ts'],
  },
  {
    name: 'A response to the file before a refresh is imported',
    file: 'src/collaborations/response.ts',
    find: 'if (response.invitationDigest !== invitation.digest) {',
    replace: 'if (invitation.revision === 1 && response.invitationDigest !== invitation.digest) {',
    tests: ['test/rooms/response.test.ts'],
  },
  {
    name: 'Two changes of one invitation at the same time both succeed, and the first is lost',
    file: 'src/storage/stores/invitation-store.ts',
    find: `        .where('revision', '=', from.revision)\n`,
    replace: '',
    tests: ['test/storage/sqlite/sqlite-memory.test.ts'],
  },
  {
    name: 'A caller gets a file of an invitation that another refresh has replaced',
    file: 'src/collaborations/invitation-operations.ts',
    find: 'if (invitation.revision !== renewed.revision) return { ...invitation, audit }',
    replace: 'if (invitation.revision < renewed.revision) return { ...invitation, audit }',
    tests: ['test/http/endpoints/collaborations/refresh-invitation.test.ts'],
  },
  {
    name: 'A response is accepted in the place of an invitation',
    file: 'src/secrets/signature.ts',
    find: `if (header['typ'] !== kind.type) return`,
    replace: `if (header['typ'] === undefined) return`,
    tests: ['test/secrets/signature-refusals.test.ts'],
  },
  {
    name: 'A file with a signature for another document is accepted',
    file: 'src/secrets/signature.ts',
    find: '!Buffer.from(JSON.stringify(file.document)).equals(payload)',
    replace: 'JSON.stringify(file.document).length !== Buffer.from(payload).toString().length',
    tests: ['test/secrets/signature-refusals.test.ts', 'test/secrets/signature-bytes.test.ts'],
  },
  {
    name: 'Another portal at a known address is trusted without a question',
    file: 'src/collaborations/known-key.ts',
    find: 'const isChanged = atUrl !== undefined || (known',
    replace: 'const isChanged = (atUrl !== undefined && known !== undefined) || (known',
    tests: ['test/rooms/known-key.test.ts'],
  },
  {
    name: 'A portal at the same address in other letters counts as a new one',
    file: 'src/collaborations/known-address.ts',
    find: `decodePath(pathname).toLowerCase()`,
    replace: `decodePath(pathname)`,
    tests: ['test/rooms/known-key.test.ts'],
  },
]
