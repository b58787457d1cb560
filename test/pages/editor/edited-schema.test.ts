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

const key = { portalId: 'p', username: 'mara', owner: 'organization' }

function published(version: number, ...categorySchema: readonly Category[]) {
  return { categorySchema, version, modified: version, modifiedBy: 'anna' }
}

/** A schema as a person has it open, with time that goes on when the test says so, and what others publish meanwhile. */
function openSchema() {
  const storage = textStorage()
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
