import { expect, test } from 'vitest'
import type { Fault } from '../../support/arcgis/arcgis-portal.ts'
import { openArcgis as open, water } from '../signed-in.ts'

const faults: readonly (readonly [what: string, operation: string, fault: Fault, code: number])[] = [
  ['HTML in place of the first answer', 'info', { kind: 'html' }, 2],
  ['a list', 'portal', { kind: 'list' }, 2],
  ['a redirect elsewhere', 'info', { kind: 'redirect', to: 'https://x.invalid/sharing/rest/info' }, 2],
  ['429 for longer than is waited', 'portalSchema', { kind: 'status', code: 429, retryAfter: 90 }, 2],
  ['503 once', 'portalSchema', { kind: 'body', code: 503 }, 0],
  ['a lost connection once', 'portalSchema', { kind: 'lost', when: 'before' }, 0],
  ['a token that ended', 'portalSchema', { kind: 'body', code: 498 }, 2],
  ['a refusal', 'assignPortalSchema', { kind: 'body', code: 403 }, 1],
  ['a lost answer', 'assignPortalSchema', { kind: 'lost', when: 'after' }, 0],
]

test.each(faults)('the exit code of an apply that meets %s', async (_, operation, fault, code) => {
  const { portal, run } = await open('enterprise', { hasErrorStatus: true })
  await using _portal = portal
  portal.plan(operation, fault)
  const ended = await run('schema apply %seas --to org --yes')
  expect(ended, ended.complaint).toMatchObject({ code })
  expect(portal.extensions).toEqual([])
})

test('what becomes of items is to be chosen before a question is asked', async () => {
  const { portal, desk, run, files } = await open('online')
  await using _ = portal
  const words = ['schema', 'apply', files.seas, '--to', 'org', '--moves', files.moves]
  const ended = await desk.run(words, { isPerson: true, typed: 'y' })
  expect([ended.code, ended.complaint]).toEqual([1, expect.stringMatching(/--leave-items/)])
  expect(ended.complaint).not.toContain('[y/N]')
  const planned = await run('schema plan %seas --to org --moves %moves -o %plan')
  expect(planned.complaint).toContain(`cartulary schema apply ${files.plan} --move-items makes the change.`)
})

test('the same command resumes moves of items that were cut off', async () => {
  const { portal, run } = await open('online')
  await using _ = portal
  for (const line of [
    'schema apply %seas --to org --moves %moves --yes --move-items',
    'schema apply %plan --move-items',
  ]) {
    portal.schemas.set(portal.id, structuredClone(water))
    const [item] = [...portal.items.values()]
    item!.categories = ['/Water']
    portal.index.settle()
    await run('schema plan %seas --to org --moves %moves -o %plan')
    portal.plan('updateItems', { kind: 'body', code: 498 })
    expect(await run(line)).toMatchObject({ code: 2, complaint: expect.stringMatching(/the same command resumes/) })
    expect(item!.categories).toEqual(['/Water'])
    const unasked = await run('schema apply %seas --to org --yes')
    expect(unasked).toMatchObject({ code: 0, complaint: expect.stringMatching(/left items: --move-items/) })
    expect(await run(line)).toMatchObject({ code: 0 })
    expect(item!.categories).toEqual(['/Seas'])
    expect(await run(line)).toMatchObject({ code: line.includes('%plan') ? 0 : 1 })
  }
})

test('a plan file of one ArcGIS Enterprise is refused by another, though their ids are the same', async () => {
  const first = await open('enterprise')
  await using _first = first.portal
  const second = await open('enterprise')
  await using _second = second.portal
  await first.run('schema plan %seas --to org -o %plan')
  const ended = await second.desk.run(['schema', 'apply', first.files.plan])
  expect([ended.code, ended.complaint]).toEqual([2, expect.stringContaining(first.portal.url)])
  expect(second.portal.count('assignPortalSchema')).toBe(0)
})
