import { expect, test } from 'vitest'
import {
  adoptDrafts,
  type Draft,
  type DraftKey,
  eraseDraft,
  listDraftOwners,
  nameOfDraft,
  readDraft,
  type TextStorage,
  writeDraft,
} from '../../../pages/src/drafts/draft-store.ts'

/** Storage of a browser, with room for so many characters. */
function makeStorage(room = Infinity): TextStorage & { readonly texts: Map<string, string> } {
  const texts = new Map<string, string>()
  return {
    texts,
    getItem: (name) => texts.get(name) ?? null,
    setItem: (name, value) => {
      if (value.length > room) throw new Error('QuotaExceededError')
      texts.set(name, value)
    },
    removeItem: (name) => texts.delete(name),
    get length() {
      return texts.size
    },
    key: (index) => [...texts.keys()][index] ?? null,
  }
}

const key: DraftKey = { server: '/', portalId: 'p', username: 'mara', owner: 'organization' }
const draft: Draft = {
  categorySchema: [{ title: 'Region', categories: [{ title: 'World', description: 'All of it', source: 'iso' }] }],
  baseVersion: 3,
  origins: ['/Region', null],
  began: 1,
  saved: 2,
}

test('a draft is read back as it was written, until it is erased', () => {
  const storage = makeStorage()
  expect(writeDraft(storage, key, draft)).toBe(true)
  expect(readDraft(storage, key)).toEqual(draft)
  eraseDraft(storage, key)
  expect(readDraft(storage, key)).toBeUndefined()
})

test('drafts of other persons, portals, owners and servers are others, whatever their names contain', () => {
  const keys = [
    key,
    { ...key, username: 'mara/organization' },
    { ...key, owner: 'group:a' },
    { ...key, portalId: 'p/mara', username: 'organization' },
    { ...key, portalId: 'p/mara', username: 'x' },
    { ...key, username: 'mara/x' },
    { ...key, server: '/test/' },
  ]
  expect(new Set(keys.map(nameOfDraft)).size).toBe(keys.length)
})

test('a storage without room is reported, and the earlier draft stays', () => {
  const storage = makeStorage(300)
  writeDraft(storage, key, draft)
  const large = { ...draft, categorySchema: [{ title: 'x'.repeat(500) }] }
  expect(writeDraft(storage, key, large)).toBe(false)
  expect(readDraft(storage, key)).toEqual(draft)
})

test.each([
  ['no JSON', '{'],
  ['nothing', 'null'],
  ['another document', '{"version": 3}'],
  ['no list of trees', JSON.stringify({ ...draft, categorySchema: {} })],
  ['a tree that is none', JSON.stringify({ ...draft, categorySchema: ['Region'] })],
  [
    'a title that is no text',
    JSON.stringify({ ...draft, categorySchema: [{ title: 'a', categories: [{ title: 1 }] }] }),
  ],
  ['an origin that is no path', JSON.stringify({ ...draft, origins: [1] })],
  ['an origin of several that is no path', JSON.stringify({ ...draft, origins: [['/Region', 1]] })],
  ['a move that is none', JSON.stringify({ ...draft, moves: [null] })],
])('what is stored is no draft if it is %s', (_, text) => {
  const storage = makeStorage()
  storage.texts.set(nameOfDraft(key), text)
  expect(readDraft(storage, key)).toBeUndefined()
})

test('the owners of the drafts of a person are known, but for those that cannot be read', () => {
  const storage = makeStorage()
  const person = { server: '/', portalId: 'p', username: 'mara' }
  for (const owner of ['organization', 'group:b', 'group:a/c']) writeDraft(storage, { ...person, owner }, draft)
  writeDraft(storage, { ...person, username: 'mara2', owner: 'group:d' }, draft)
  storage.texts.set(nameOfDraft({ ...person, owner: 'group:b' }), '{')
  storage.texts.set(`${nameOfDraft({ ...person, owner: 'group:' })}%E0%A4%A`, JSON.stringify(draft))
  expect(listDraftOwners(storage, person)).toEqual(['group:a/c', 'organization'])
})

test('drafts of a version that named no server become those of the server where their person signs in', () => {
  const storage = makeStorage()
  const text = JSON.stringify(draft)
  const former = {
    'draft/p/mara/organization': text,
    'draft/p/mara2/organization': text,
  }
  for (const [name, value] of Object.entries(former)) storage.texts.set(`cartulary.${name}`, value)
  const taken = { ...key, username: 'mara2' }
  writeDraft(storage, taken, { ...draft, baseVersion: 4 })
  adoptDrafts(storage, key)
  adoptDrafts(storage, taken)
  expect(readDraft(storage, key)).toEqual(draft)
  expect(readDraft(storage, taken)?.baseVersion).toBe(4)
  expect([...storage.texts.keys()].sort()).toEqual([
    'cartulary.draft/%2F/p/mara/organization',
    'cartulary.draft/%2F/p/mara2/organization',
    'cartulary.draft/p/mara2/organization',
  ])
})
