import { expect, test } from 'vitest'
import type { Draft } from '../../../pages/src/drafts/draft-store.ts'
import type { WholeDraft } from '../../../pages/src/shared-drafts/answers.ts'
import { toContent, toLocalDraft } from '../../../pages/src/shared-drafts/conversion.ts'

const base = {
  categorySchema: [
    { title: 'Themes', categories: [{ title: 'Water' }, { title: 'Roads', categories: [{ title: 'Paths' }] }] },
    { title: 'Years' },
  ],
}
const categorySchema = [
  { title: 'Topics', categories: [{ title: 'Roads', categories: [{ title: 'Trails' }] }, { title: '' }] },
]

/** Renamed, moved along, merged, and new categories; one of the last has no title yet. */
const draft: Draft = {
  categorySchema,
  baseVersion: 3,
  origins: ['/Themes', ['/Themes/Roads', '/Themes/Water'], '/Themes/Roads/Paths', null],
  began: 1,
  saved: 2,
  comment: 'Why',
  vanishing: 'clear',
}

const kept = (content: ReturnType<typeof toContent>): WholeDraft => ({
  id: 'd1',
  name: 'Trails',
  baseVersion: content.baseVersion,
  action: 'assign',
  restoredFrom: null,
  items: null,
  revision: 4,
  savedRevision: 4,
  categories: 4,
  created: 1,
  createdBy: 'anna',
  modified: 2,
  modifiedBy: 'anna',
  savers: ['anna'],
  proposedBy: null,
  state: 'open',
  stateBy: null,
  stateModified: null,
  note: null,
  reviewer: null,
  publishAt: null,
  categorySchema,
  moves: JSON.parse(content.moves),
  comment: content.comment,
  vanishing: 'clear',
})

test('a draft that was kept on the server is edited as before: it knows what its categories were', () => {
  const content = toContent(base, draft)
  expect(content).toMatchObject({ baseVersion: 3, comment: 'Why', vanishing: 'clear' })
  expect(JSON.parse(content.categorySchema)).toEqual({ categorySchema })
  expect(JSON.parse(content.moves)).toEqual([
    { from: '/Themes', to: '/Topics' },
    { from: '/Themes/Water', to: '/Topics/Roads' },
    { from: '/Themes/Roads/Paths', to: '/Topics/Roads/Trails' },
  ])
  const { kept: link, ...local } = toLocalDraft(base, kept(content), 9)
  expect(local).toEqual({ ...draft, saved: 9 })
  expect(link).toEqual({ id: 'd1', name: 'Trails', revision: 4, saved: 9 })
  expect(toContent(base, { ...local })).toEqual(content)
})
