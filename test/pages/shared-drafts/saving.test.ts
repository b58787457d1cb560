import { expect, test } from 'vitest'
import type { Draft, DraftPlace } from '../../../pages/src/drafts/draft-store.ts'
import { DraftSaving, type Sent } from '../../../pages/src/shared-drafts/saving.ts'

const draft: Draft = { categorySchema: [{ title: 'Themes' }], baseVersion: 1, origins: [null], began: 1, saved: 1 }

/** A browser with a draft, which may have no space, and a server with given answers, which then numbers revisions. */
function aBrowser({ isFull = false } = {}) {
  let stored: Draft | undefined = isFull ? undefined : draft
  const answers: Sent[] = []
  const sent: Draft[] = []
  const removed: string[] = []
  const waits: number[] = []
  let due: (() => void) | undefined
  let onSend = () => {}
  const place: DraftPlace = {
    load: () => stored,
    save: (next) => {
      if (!isFull) stored = next
      return !isFull
    },
    remove: () => {
      stored = undefined
    },
    watch: () => () => {},
  }
  const server = {
    async send(one: Draft): Promise<Sent> {
      sent.push(one)
      onSend()
      return answers.shift() ?? { kept: { id: one.kept?.id ?? 'new', name: 'Mine', revision: sent.length } }
    },
    remove: async ({ id }: { readonly id: string }) => removed.push(id),
  }
  const later = (work: () => void, milliseconds: number) => {
    waits.push(milliseconds)
    due = work
    return () => {
      due = undefined
    }
  }
  const saving = new DraftSaving(place, server, later, () => {})
  const pass = async () => {
    due?.()
    await saving.now(stored ?? draft)
  }
  return { saving, place, answers, sent, removed, waits, pass, whenSent: (work: () => void) => (onSend = work) }
}

test('edits are sent together after a pause, and nothing is sent again until the next edit', async () => {
  const { saving, place, sent, pass } = aBrowser()
  for (const saved of [2, 3, 4]) {
    place.save({ ...draft, saved })
    saving.ask({ ...draft, saved })
  }
  expect(sent).toEqual([])
  await pass()
  await pass()
  expect(sent.map(({ saved }) => saved)).toEqual([4])
  expect(place.load()?.kept).toEqual({ id: 'new', name: 'Mine', revision: 1, isOwn: true, saved: 4 })
  expect(saving.state).toBe('saved')
})

test('ten minutes without a network: it is tried less and less often, and the last edit is sent then', async () => {
  const { saving, place, answers, sent, waits, pass } = aBrowser()
  answers.push(...Array.from({ length: 14 }, () => 'unreachable' as const))
  saving.ask(draft)
  while (waits.reduce((sum, wait) => sum + wait, 0) < 600_000) await pass()
  // The answer to the first try may have been lost: the next one looks for what it made.
  expect([sent[0]?.isTried, sent.at(-1)?.isTried]).toEqual([undefined, true])
  expect(waits.slice(0, 6)).toEqual([3_000, 6_000, 12_000, 24_000, 48_000, 60_000])
  expect(saving.state).toBe('unreachable')
  place.save({ ...draft, saved: 9 })
  answers.length = 0
  await pass()
  expect(sent.at(-1)?.saved).toBe(9)
  expect(place.load()?.isTried).toBeUndefined()
  expect(saving.state).toBe('saved')
})

test('a browser without space sends its draft all the same, always as the same one', async () => {
  const { saving, sent } = aBrowser({ isFull: true })
  await saving.now(draft)
  await saving.now({ ...draft, saved: 2 })
  expect(sent.map(({ kept }) => kept?.id)).toEqual([undefined, 'new'])
})

test('what is refused, as its group is deleted or the right is lost, is not sent again before the next edit', async () => {
  const { saving, place, answers, sent, waits, pass } = aBrowser()
  answers.push({ refusal: 'no right' })
  await pass()
  saving.ask(place.load()!)
  expect([waits.length, saving.state]).toEqual([0, { refusal: 'no right' }])
  saving.ask({ ...draft, saved: 2 })
  await pass()
  expect([waits.length, sent.length, saving.state]).toEqual([1, 2, 'saved'])
})

test('where another person has saved it, nothing is sent until it becomes a draft of its own', async () => {
  const { saving, place, answers, sent, whenSent } = aBrowser()
  place.save({ ...draft, saved: 2, kept: { id: 'shared', name: 'Ours', revision: 3, saved: 1 } })
  answers.push('unreachable', { savedBy: 'mira' })
  const noted: unknown[] = []
  whenSent(() => noted.push(place.load()?.kept?.isSending))
  await saving.now(place.load()!)
  await saving.now(place.load()!)
  // A browser that is closed before the answer knows that the next revision may be its own; after an answer it is another's.
  expect(noted).toEqual([true, true])
  expect(sent.map(({ kept }) => kept?.isSending)).toEqual([undefined, true])
  expect(place.load()?.kept).toMatchObject({ id: 'shared', isSending: false })
  saving.ask({ ...place.load()!, saved: 3 })
  expect([sent.length, saving.state]).toEqual([2, { savedBy: 'mira' }])
  await saving.saveAsOther(place.load()!)
  expect(place.load()?.kept).toMatchObject({ id: 'new', isOwn: true })
})

test('a draft that is discarded while it is sent is removed from the server; one that ended there goes on as another', async () => {
  const { place, answers, removed, pass, whenSent } = aBrowser()
  answers.push('gone')
  place.save({ ...draft, saved: 2, kept: { id: 'published', name: 'Old', revision: 1, saved: 1 } })
  await pass()
  expect(place.load()?.kept).toBeUndefined()
  whenSent(() => place.remove())
  await pass()
  expect(removed).toEqual(['new'])
})
