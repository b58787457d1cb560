import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { formatPrivilegeList, operationsOf } from '../../../scripts/privilege-list.ts'
import { allPrivileges, privilegeMeanings } from '../../../src/call/privilege.ts'
import { endpointTable } from '../../../src/http/endpoints/table.ts'
import { forbidden } from '../../support/portal/envelopes.ts'
import { expectations } from '../permissions/who-may-call/expectations/table.ts'

const root = new URL('../../../', import.meta.url).pathname

test('docs/privileges.md is what the tables give; npm run docs writes it', () => {
  expect(readFileSync(`${root}docs/privileges.md`, 'utf8')).toBe(formatPrivilegeList(endpointTable))
})

/** Privileges that the rooms ask for. */
function findAsked(): ReadonlySet<string> {
  const files = globSync(
    'src/{directory,items,categories,collaborations,audit,tokens,oauth,schema-files,webhooks}/**/*.ts',
    {
      cwd: root,
    },
  )
  const texts = files.filter((file) => !file.endsWith('/privilege.ts')).map((file) => readFileSync(root + file, 'utf8'))
  return new Set(texts.flatMap((text) => text.match(/portal:\w+:\w+/g) ?? []))
}

test('the privileges with a meaning are those that something asks for, and that some operation names', () => {
  const asked = findAsked()
  const described = allPrivileges.filter((privilege) => privilegeMeanings[privilege] !== undefined)
  expect(described).toEqual(allPrivileges.filter((privilege) => asked.has(privilege)))
  expect(described).toEqual(allPrivileges.filter((privilege) => operationsOf(privilege, endpointTable).length > 0))
  expect(described.length).toBeGreaterThan(30)
  expect(described.length).toBeLessThan(allPrivileges.length)
})

/** Each privilege with which a custom role may call, and without which one with all the others gets 403, by the matrix. */
const needed = endpointTable.flatMap((row) =>
  (expectations[row.id] ?? []).flatMap(({ on, privileges, lacking = privileges.slice(-1), expected }) =>
    expected.holder === 'ok' && expected.lacking === forbidden && lacking.length === 1
      ? [{ row, on, privilege: lacking[0]! }]
      : [],
  ),
)

test('every operation says which privilege it takes', () => {
  expect(needed.length).toBeGreaterThan(100)
  const silent = needed.filter(({ row, privilege }) => operationsOf(privilege, [row]).length === 0)
  expect(silent.map(({ row, on, privilege }) => `${row.id} on ${on}: ${privilege}`)).toEqual([])
})
