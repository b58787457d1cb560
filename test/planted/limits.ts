import type { Fault } from './fault.ts'

/** Faults in limits and durations. */
export const limits: readonly Fault[] = [
  {
    name: 'One more password may be tried than the operator allows',
    file: 'src/tokens/sign-in-limit.ts',
    find: 'const first = counted[counted.length - max]',
    replace: 'const first = counted[counted.length - max - 1]',
    tests: ['test/rooms/sign-in-limit.test.ts'],
  },
  {
    name: 'A user owns one group more than the limit',
    file: 'src/directory/quotas.ts',
    find: 'if (owned + more <= max) return',
    replace: 'if (owned <= max) return',
    tests: ['test/http/limits/groups.test.ts'],
  },
  {
    name: 'New tags are not counted towards the limit of tags',
    file: 'src/items/item-quotas.ts',
    find: 'if (present + added <= limits[limit]) continue',
    replace: 'if (present <= limits[limit]) continue',
    tests: ['test/http/limits/items.test.ts'],
  },
  {
    name: 'A category schema with as many categories as are allowed is refused',
    file: 'src/categories/schema.ts',
    find: 'if (total > limits.categories) {',
    replace: 'if (total >= limits.categories) {',
    tests: ['test/rooms/schema.test.ts', 'test/rooms/schema-properties.test.ts'],
  },
  {
    name: 'An old version of a category schema is removed before there are too many',
    file: 'src/categories/versions.ts',
    find: 'return versions <= max ? 0 :',
    replace: 'return versions < max ? 0 :',
    tests: ['test/rooms/kept-versions.test.ts'],
  },
  {
    name: 'A file of a handshake in another script than Latin may be larger than the limit',
    file: 'src/collaborations/signed-file.ts',
    find: 'const bytes = Buffer.byteLength(text)',
    replace: 'const bytes = text.length',
    tests: ['test/rooms/signed-file.test.ts', 'test/secrets/signature-refusals.test.ts'],
  },
]
