import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { runCommand } from '../../src/cli/cli.ts'
import { formatSeedSchema } from '../../src/cli/ephemeral/seed-shape.ts'
import { Folder } from '../support/portal/process.ts'
import { command } from './run-command.ts'

/** Error output of the command for a seed that it refuses. */
async function refusalOf(seed: unknown): Promise<readonly string[]> {
  using folder = new Folder()
  const path = join(folder.path, 'seed.json')
  writeFileSync(path, typeof seed === 'string' ? seed : JSON.stringify(seed))
  const { code, printed, complaint } = await command(['--ephemeral', '--seed', path, '--json'])
  expect({ code, printed }).toEqual({ code: 1, printed: '' })
  const [first, ...problems] = complaint.split('\n')
  expect(first).toBe(`The seed ${path} is refused, and no server starts:`)
  return problems.map((line) => line.trim())
}

const password = 'a long enough password'

/** Seeds, each with every problem that is reported for it. */
const refused: Readonly<Record<string, readonly [unknown, ...string[]]>> = {
  'is not JSON': ['{"users": [}', 'Not JSON at line 1, column 12: a value is expected, not }.'],
  'has a member twice': ['{"users": [], "users": []}', '/: users is given twice.'],
  'is no object': [[], '/: has to be an object.'],
  'has other members and types': [
    { user: [], users: [{ username: 'anna', password: 5 }, { password }], groups: {}, items: [{ title: 'A' }] },
    '/user: is unknown; there may be $schema, organization, roles, users, groups, items.',
    '/users/0/password: has to be a text.',
    '/users/1: username is missing.',
    '/groups: has to be an array.',
    '/items/0: type is missing.',
  ],
  'has another word than there are': [
    { organization: { access: 'open' }, groups: [{ title: 'A', isViewOnly: 'no', 'a/b': 1 }] },
    '/organization/access: has to be one of private, public.',
    '/groups/0/isViewOnly: has to be true or false.',
    '/groups/0/a~1b: is unknown; there may be title, owner, access, description, snippet, tags, isInvitationOnly, isViewOnly, managers, members, categorySchema.',
  ],
  'refers to what it does not have': [
    {
      organization: { administrator: { username: 'Head', password } },
      users: [
        { username: 'anna', password },
        { username: 'Anna', password },
        { username: 'head', password },
      ],
      groups: [
        { title: 'Maps', owner: 'ANNA', managers: ['head'], members: ['anna', 'carla'] },
        { title: 'Maps', owner: 'dora' },
      ],
      items: [{ title: 'A', type: 'Web Map', owner: 'emil', groups: [{ title: 'Maps' }, { title: 'Charts' }] }],
    },
    '/users/1/username: anna is given twice.',
    '/users/2/username: is that of /organization/administrator.',
    '/groups/1/title: Maps is given twice.',
    '/groups/0/members/1: carla is no user of the seed.',
    '/groups/1/owner: dora is no user of the seed.',
    '/items/0/owner: emil is no user of the seed.',
    '/items/0/groups/1/title: Charts is no group of the seed.',
  ],
  'has another organization than there may be': [
    { organization: { name: 'n'.repeat(300), administrator: { username: 'a b', password: 'short' } } },
    '/organization/administrator/username: is a b; a username has 3 to 128 letters, digits, dots, hyphens, underscores and at signs.',
    '/organization/name: has 300 characters; at most 250 are allowed.',
    '/organization/administrator/password: has 5 characters; 8 to 128 are allowed.',
  ],
  'has what the operations refuse': [
    {
      organization: { categorySchema: [{ title: 'Region', categories: [{ title: 'a/b' }] }] },
      roles: [{ name: 'Curator', privileges: ['portal:user:fly'] }],
      users: [
        { username: 'anna', password: 'short' },
        { username: 'bruno', password, role: 'Pilot' },
        { username: 'carla', password, role: 'org_viewer' },
        { username: 'no name', password },
      ],
      groups: [
        { title: 'Of anna', owner: 'anna' },
        { title: 'Of carla', owner: 'carla' },
        { title: 'Maps', snippet: 's'.repeat(251), categorySchema: [{ titel: 'Region' }] },
        { title: 'Charts', categorySchema: [{ titel: 'Region' }] },
      ],
      items: [
        { title: 'A', type: 'Web Map', url: 'u'.repeat(5_000) },
        { title: 'B', type: 'Web Map', categories: ['/Region'], groups: [{ title: 'Charts', categories: ['/Mars'] }] },
      ],
    },
    '/organization/categorySchema/0/categories/0/title: Title at /categorySchema/0/categories/0/title has the reserved character /.',
    '/roles/0/privileges: /privileges/0 is not a privilege.',
    '/users/0/password: The password has 5 characters; 8 to 128 are allowed.',
    '/users/1/role: The role Pilot does not exist. Roles are org_admin, org_publisher, org_user, org_viewer, Curator.',
    '/users/3/username: A username has 3 to 128 letters, digits, dots, hyphens, underscores and at signs.',
    '/groups/1: Your role does not have the privilege portal:user:createGroup.',
    '/groups/2/snippet: has 251 characters; at most 250 are allowed.',
    '/groups/3/categorySchema/0: /categorySchema/0 has no title.',
    '/items/0/url: has 5000 characters; at most 2048 are allowed.',
    '/items/1/categories: Category does not exist: /Region',
    '/items/1/groups/0/categories: Category does not exist: /Mars',
  ],
}

describe('a seed is refused, with every error and its JSON pointer, where it', () => {
  test.for(Object.entries(refused))('%s', async ([, [seed, ...problems]]) => {
    expect(await refusalOf(seed)).toEqual(problems)
  })

  test('cannot be read', async () => {
    const { code, complaint } = await command(['--ephemeral', '--seed', '/no/such/seed.json'])
    expect(code).toBe(1)
    expect(complaint).toMatch(/^--seed is \/no\/such\/seed\.json, which cannot be read: ENOENT/)
  })
})

describe('an ephemeral server', () => {
  test('says on one line of JSON what a test has to know', async () => {
    const ended = new AbortController()
    const lines: string[] = []
    const code = await runCommand(['--ephemeral', '--json'], {
      environment: { ORGANIZATION_NAME: 'Survey', PUBLIC_URL: 'http://127.0.0.1:1234/portal' },
      signal: ended.signal,
      isTerminal: false,
      print: (text) => {
        lines.push(text)
        ended.abort()
      },
      printError: (text) => lines.push(text),
      exit: () => {},
    })
    expect(code).toBe(0)
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0]!)).toEqual({
      url: 'http://127.0.0.1:1234/portal',
      api: 'http://127.0.0.1:1234/portal/sharing/rest',
      organization: { id: expect.stringMatching(/^\w{16}$/), name: 'Survey' },
      administrator: { username: 'admin', password: expect.stringMatching(/^\S{24}$/) },
      roles: [],
      groups: [],
      items: [],
    })
  })
})

test('the JSON Schema of a seed is the one that is documented, and takes the documented seed', () => {
  const documented = readFileSync(new URL('../../docs/seed.schema.json', import.meta.url), 'utf8')
  expect(documented).toBe(formatSeedSchema())
  const guide = readFileSync(new URL('../../docs/testing.md', import.meta.url), 'utf8')
  const seed = JSON.parse(/```json seed\.json\n(.*?)```/s.exec(guide)![1]!)
  const validate = new Ajv2020({ strict: true, allErrors: true }).compile(JSON.parse(documented))
  expect(validate(seed), JSON.stringify(validate.errors)).toBe(true)
  expect(validate({ user: [] })).toBe(false)
})
