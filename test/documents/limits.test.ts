/** Each limit is documented in one place, with the value that the code has. */
import { expect, test } from 'vitest'
import { portalLimits } from '../../src/categories/limits.ts'
import { settings } from '../../src/config.ts'
import { documents, linesOf, read } from './documents.ts'

test('no document but docs/settings.md states the default of a setting beside its name', () => {
  const numbers = settings
    .filter(({ name, default: value }) => name !== 'PORT' && /^\d+$/.test(value))
    .map(({ name, default: value }) => ({ name, values: spellingsOf(Number(value)) }))
  const lines = documents.filter((path) => path !== 'docs/settings.md').flatMap(linesOf)
  const wrong = lines.flatMap(({ place, text }) => {
    const named = numbers.filter(({ name }) => text.includes(`\`${name}\``))
    const told = named.filter(({ values }) =>
      values.some((value) => new RegExp(`(?<![\\w,.])${value}(?![\\w,.]\\d)`).test(text)),
    )
    return told.map(({ name }) => `${place} ${name}`)
  })
  expect(wrong).toEqual([])
})

test('bounds of category schemas are those of the rules', () => {
  const told = documents.flatMap(linesOf).flatMap(({ place, text }) => {
    const found = text.matchAll(/(?:up to|at most|levels and) (\d+) (trees|levels|categories)\b(?! of JSON)/g)
    return [...found].map(([, number, what]) => ({ place, bound: `${number} ${what}` }))
  })
  const bounds = (['trees', 'levels', 'categories'] as const).map((what) => `${portalLimits[what]} ${what}`)
  expect(told.map(({ bound }) => bound)).toEqual(expect.arrayContaining(bounds))
  expect(told.filter(({ bound }) => !bounds.includes(bound))).toEqual([])
})

/** A number as documents write it. */
function spellingsOf(value: number): readonly string[] {
  const units = Object.entries({ GiB: 1024 ** 3, MiB: 1024 ** 2, KiB: 1024 }).filter(
    ([, unit]) => value > 0 && value % unit === 0,
  )
  return [String(value), value.toLocaleString('en'), ...units.map(([name, unit]) => `${value / unit} ${name}`)]
}

/** The limits of docs/limits.md that are no settings, by how their rows begin: the files and names of their constants. */
const constants: readonly (readonly [row: string, file: string, ...names: string[]])[] = [
  ['Parameters of a query', 'src/http/decoding/form.ts', 'maxFields'],
  ['Parts of a multipart body', 'src/http/decoding/multipart.ts', 'maxParts'],
  ['Bytes of the headers of one part', 'src/http/decoding/multipart.ts', 'maxHeaderBytes'],
  ['Characters of `Accept`', 'src/http/decoding/accept.ts', 'maxAcceptLength'],
  ['Characters of `Content-Type`', 'src/http/decoding/request-parameters.ts', 'maxContentTypeLength'],
  ['Characters of `X-Esri-Authorization`', 'src/http/decoding/bearer-token.ts', 'maxHeaderLength'],
  ['Entity tags in', 'src/http/answer.ts', 'maxTags'],
  ['Values in a category schema', 'src/categories/schema.ts', 'maxValues'],
  ['Characters of a category schema', 'src/http/endpoints/categories/change-parameters.ts', 'maxUncheckedLength'],
  ['Characters of an answer', 'src/http/pages/directory-page.ts', 'maxShown'],
  ['Bytes of a body', 'src/http/transport/transport.ts', 'maxBodyBytes'],
  ['Bytes of the request line', 'src/http/transport/transport.ts', 'maxHeaderBytes'],
  ['Time to send the headers', 'src/http/transport/transport.ts', 'headersTimeout'],
  ['Time to send the body', 'src/http/transport/bodies.ts', 'bodyTimeout'],
  ['Requests that wait', 'src/http/requests/bounds.ts', 'maxWaiting', 'maxWaitingBytes'],
  ['Time for which a request waits', 'src/http/requests/bounds.ts', 'waitTimeout'],
  ['Time for a TLS handshake', 'src/http/transport/transport.ts', 'handshakeTimeout'],
  ['Requests on one connection', 'src/http/transport/connections.ts', 'maxUnanswered'],
  ['Entries of a page', 'src/http/endpoints/page-parameters.ts', 'maxPageSize'],
  ['Bytes of a page', 'src/paging.ts', 'maxPageBytes'],
  ['Bytes of the groups', 'src/directory/users/user-view.ts', 'maxGroupBytes'],
  ['Usernames of the members', 'src/directory/group.ts', 'listedMembers'],
  ['Usernames in one call', 'src/directory/group.ts', 'namesInOneCall'],
  ['Bytes of a query of a search', 'src/search/tokens.ts', 'maxQueryLength'],
  ['Words and values', 'src/search/compile.ts', 'maxLookUps'],
  ['Searches of all users', 'src/storage/search-turns.ts', 'maxWaiting'],
  ['Time for which a password waits', 'src/secrets/password-hash.ts', 'maxWaitMilliseconds'],
  ['Time in which the passwords', 'src/http/endpoints/people/invitation-list.ts', 'hashingTimeout'],
  ['Time in which a file', 'src/file-reading/threaded-reader.ts', 'shortMilliseconds', 'deadlineMilliseconds'],
  ['Files of an import', 'src/file-reading/threaded-reader.ts', 'maxPerUser', 'maxPerPortal'],
  ['Time for which a file waits', 'src/file-reading/threaded-reader.ts', 'waitTimeout'],
  ['Bytes that are unpacked', 'src/file-reading/workbook/archive.ts', 'maxUnpackedBytes'],
  ['Files inside a workbook', 'src/file-reading/workbook/archive.ts', 'maxParts'],
  ['Sheets of a workbook', 'src/file-reading/workbook/parts.ts', 'maxSheets'],
  ['Characters of a cell', 'src/file-reading/workbook/workbook.ts', 'maxCellLength'],
  ['Templates of category schemas', 'src/schema-files/templates/own-template.ts', 'maxTemplates'],
  ['Drafts of a category schema', 'src/categories/drafts/draft.ts', 'maxDrafts', 'documentLength'],
  ['Levels of a draft', 'src/categories/schema.ts', 'deepestUnfinished'],
  ['Items that one change', 'src/items/changes/change-operations.ts', 'maxBulkItems'],
  ['Jobs of a person', 'src/jobs/job.ts', 'maxRunningOfPerson', 'maxWaitingOfPerson'],
  ['Jobs of an organization', 'src/jobs/job.ts', 'maxRunningJobs', 'placesOfAdministrators'],
  ['Ended jobs of a person', 'src/jobs/job.ts', 'maxEndedOfPerson'],
  ['Failures that a job lists', 'src/jobs/job.ts', 'maxJobFailures', 'maxFailureLength'],
  ['Rows, and bytes', 'src/item-sheets/read-sheet.ts', 'maxSheetRows', 'maxSheetBytes'],
  ['Characters of a change', 'src/items/item-change.ts', 'maxLength'],
  ['Paths, and types', 'src/directory/category-policy.ts', 'below', 'types'],
  ['Owners, and types', 'src/items/categories/completeness-operations.ts', 'maxListed'],
]

test('docs/limits.md states the limits that are no settings as the code has them', () => {
  const [, section] = read('docs/limits.md').split(/^## Without a setting$/m)
  const rows = section!.split('\n').filter((line) => /^\| [A-Z]/.test(line))
  const told = rows.map((row) => {
    const [, words, values] = row
      .split(' | ', 2)
      .join(' | ')
      .split(/^\| | \| /)
    return [words, values!.split('; ').map(parseAmount)]
  })
  const inCode = constants.map(([beginning, file, ...names]) => [
    told.map(([words]) => String(words)).find((words) => words.startsWith(beginning)) ?? `no row ${beginning}`,
    names.map((name) => findConstant(file, name)),
  ])
  expect(told).toEqual(inCode)
})

const units: Readonly<Record<string, number>> = { KiB: 1024, MiB: 1024 ** 2, second: 1_000, seconds: 1_000 }

function parseAmount(text: string): number | string {
  const [, number, unit] = /^([\d,.]+)(?: (\w+))?$/.exec(text) ?? []
  return number === undefined ? text : Number(number.replaceAll(',', '')) * (unit === undefined ? 1 : units[unit]!)
}

/** The value of a constant or of a member, a product of numbers; undefined if there is none. */
function findConstant(file: string, name: string): number | undefined {
  const [, product] = new RegExp(`\\b${name}(?: =|:) ([\\d_ *]+)`).exec(read(file)) ?? []
  return product?.split('*').reduce((all, factor) => all * Number(factor.replaceAll('_', '')), 1)
}
