import { expect, test } from 'vitest'
import {
  type Draft,
  eraseDraft,
  readDraft,
  type TextStorage,
  writeDraft,
} from '../../../pages/src/drafts/draft-store.ts'
import { EditedSchema } from '../../../pages/src/editor/edited-schema.ts'
import type { Schedule } from '../../../pages/src/editor/model/due-work.ts'
import type { Category } from '../../../src/categories/schema.ts'

const key = { server: '/', portalId: 'p', username: 'mara', owner: 'organization' }

function published(version: number, ...categorySchema: readonly Category[]) {
  return { categorySchema, version, modified: version, modifiedBy: 'anna' }
}

/** A schema as a person has it open, with time that goes on when the test says so, and what others publish meanwhile. */
function openSchema(storage = textStorage(), histories = textStorage()) {
  const waiting = new Set<() => void>()
  const later: Schedule = (work) => {
    const own = () => work()
    waiting.add(own)
    return () => waiting.delete(own)
  }
  let present = published(1, { title: 'Region' }, { title: 'Theme' })
  const schema = new EditedSchema(
    { kind: 'organization' },
    { schema: present, ownerName: 'Ministry of Maps', refusal: undefined },
    { onReopened: () => {}, onChange: () => {} },
    {
      drafts: {
        load: () => readDraft(storage, key),
        save: (draft) => writeDraft(storage, key, draft),
        remove: () => eraseDraft(storage, key),
        watch: () => () => {},
      },
      history: {
        load: () => histories.getItem('history') ?? undefined,
        save: (text) => histories.setItem('history', text),
        remove: () => histories.removeItem('history'),
      },
      loadSchema: async () => present,
      saveLater: later,
      judgeLater: later,
    },
  )
  return {
    schema,
    publish: (version: number, ...categories: readonly Category[]) => {
      present = published(version, ...categories)
    },
    type: (title: string) => {
      schema.editing.change(schema.editing.selected!, { title })
      schema.keep()
    },
    elapse: () => {
      const all = [...waiting]
      waiting.clear()
      for (const work of all) work()
    },
    openAgain: () => openSchema(storage, histories),
    keepDraft: (draft: Draft) => writeDraft(storage, key, draft),
    stored: (): Draft | undefined => readDraft(storage, key),
  }
}

function textStorage(): TextStorage {
  const texts = new Map<string, string>()
  return {
    getItem: (name) => texts.get(name) ?? null,
    setItem: (name, value) => texts.set(name, value),
    removeItem: (name) => texts.delete(name),
    get length() {
      return texts.size
    },
    key: (index) => [...texts.keys()][index] ?? null,
  }
}

test('a first edit that is not stored yet is based on the version that it was made of, not on one that is published then', async () => {
  const { schema, publish, type, elapse, stored } = openSchema()
  type('Regions')
  publish(2, { title: 'Region' }, { title: 'Theme' }, { title: 'Language' })
  await schema.refresh()
  elapse()
  expect(stored()).toMatchObject({ baseVersion: 1, categorySchema: [{ title: 'Regions' }, { title: 'Theme' }] })
  expect(schema.published.version).toBe(2)
})

test('without an edit, editing begins again with what was published', async () => {
  const { schema, publish, type, elapse, stored } = openSchema()
  publish(2, { title: 'Language' })
  await schema.refresh()
  expect(schema.editing.trees.map(({ title }) => title)).toEqual(['Language'])
  type('Languages')
  elapse()
  expect(stored()).toMatchObject({ baseVersion: 2 })
})

test('an edit that was taken back before it was stored is no draft', async () => {
  const { schema, publish, type, stored } = openSchema()
  type('Regions')
  type('Region')
  publish(2, { title: 'Language' })
  await schema.refresh()
  expect(stored()).toBeUndefined()
  expect(schema.editing.trees.map(({ title }) => title)).toEqual(['Language'])
})

test('steps can be undone and redone when the schema is opened again, and new categories are others', () => {
  const { schema, elapse, openAgain } = openSchema()
  const [region] = schema.editing.trees
  schema.editing.add({ where: 'end' }, 'Language')
  schema.editing.remove(region!.key)
  schema.editing.undo()
  schema.keep()
  elapse()
  const again = openAgain().schema.editing
  const titles = () => again.trees.map(({ title }) => title)
  expect(titles()).toEqual(['Region', 'Theme', 'Language'])
  again.redo()
  expect(titles()).toEqual(['Theme', 'Language'])
  again.undo()
  again.undo()
  expect(titles()).toEqual(['Region', 'Theme'])
  expect(again.canUndo).toBe(false)
  again.redo()
  again.add({ where: 'end' }, 'Scale')
  expect(new Set(again.trees.map(({ key }) => key)).size).toBe(4)
})

test('steps of another draft, and of one that is discarded, are forgotten', () => {
  const { schema, type, elapse, openAgain, stored, keepDraft } = openSchema()
  type('Regions')
  elapse()
  keepDraft({ ...stored()!, categorySchema: [{ title: 'Other' }, { title: 'Theme' }] })
  expect(openAgain().schema.editing.canUndo).toBe(false)
  schema.saveNow()
  keepDraft({ ...stored()!, categorySchema: [{ title: 'Regions' }, { title: 'Theme' }] })
  expect(openAgain().schema.editing.canUndo).toBe(true)
  keepDraft({ ...stored()!, baseVersion: 0 })
  expect(openAgain().schema.editing.canUndo).toBe(false)
  schema.discard()
  expect(openAgain().schema.editing.canUndo).toBe(false)
})
