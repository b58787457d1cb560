import { expect, test } from 'vitest'
import { openProgress, type StoredDraft } from '../../../src/categories/drafts/draft.ts'
import { aDraft, addPeople, aGroup, anId, aUser, noon, type OpenStorage, otherPortal } from './records.ts'

/** Drafts of category schemas. */
export function draftsContract(open: OpenStorage): void {
  async function openWith(...drafts: readonly StoredDraft[]) {
    const storage = await open()
    await addPeople(storage)
    for (const draft of drafts) await storage.write((stores) => stores.drafts.addDraft(draft))
    return storage
  }

  const ofGroup = { kind: 'group', groupId: anId(100) } as const
  const proposed = { ...openProgress, state: 'proposed', stateBy: 'anna', stateAt: noon, note: 'Łódź' } as const
  const whole = aDraft({
    ...proposed,
    document: '{"categorySchema":[{"title":"\\u0000 🌍"}]}',
    moves: [{ from: '/A', to: '/B' }],
    comment: 'Łódź',
    vanishing: 'clear',
    action: 'restore',
    restoredFrom: 7,
    items: 'stay',
    reviewer: 'bruno',
    publishAt: noon + 1,
  })

  test('a draft is found as it was added and as it was changed, for its owner alone', async () => {
    const storage = await openWith(whole)
    const find = (owner: StoredDraft['owner']) =>
      storage.read((stores) => stores.drafts.findDraft(owner, whole.draftId))
    expect(await find(whole.owner)).toStrictEqual(whole)
    expect(await find(ofGroup)).toBeUndefined()
    const changed = aDraft({ name: 'Rivers', revision: 2, savedBy: 'bruno', document: '{"categorySchema":[]}' })
    await storage.write((stores) => stores.drafts.putDraft(changed))
    expect(await find(whole.owner)).toStrictEqual(changed)
    const moved = { ...proposed, revision: 3, people: { savers: [], proposer: { userId: anId(2), username: 'bruno' } } }
    await storage.write((stores) => stores.drafts.putProgress(whole.draftId, moved))
    expect(await find(whole.owner)).toStrictEqual({ ...changed, ...moved })
    await storage.write((stores) => stores.drafts.removeDraft(whole.draftId))
    expect(await find(whole.owner)).toBeUndefined()
  })

  test('drafts are listed for their owner without their content, the latest change first', async () => {
    const times = [noon, noon + 2, noon + 1]
    const drafts = times.map((savedAt, at) => aDraft({ draftId: anId(701 + at), savedAt }))
    const storage = await openWith(...drafts, aDraft({ draftId: anId(710), owner: ofGroup }))
    const listed = await storage.read((stores) => stores.drafts.listDrafts(aDraft().owner))
    const { document: _, moves: __, comment: ___, vanishing: ____, ...summary } = drafts[1]!
    expect(listed[0]).toStrictEqual(summary)
    expect(listed.map(({ savedAt }) => savedAt)).toEqual([noon + 2, noon + 1, noon])
  })

  test('pending drafts are of the organization, and of groups that the user governs', async () => {
    const other = { kind: 'portal', portalId: otherPortal.portalId } as const
    const storage = await openWith(
      aDraft(),
      aDraft({ ...proposed, draftId: anId(701) }),
      aDraft({ ...proposed, draftId: anId(702), owner: ofGroup, stateAt: noon + 1 }),
      aDraft({ ...proposed, draftId: anId(703), owner: other, portalId: otherPortal.portalId }),
    )
    await storage.write(async ({ directory }) => {
      await directory.addUser(aUser({ userId: anId(2), username: 'bruno' }), 'hash')
      await directory.addGroup(aGroup())
      await directory.putMember(ofGroup.groupId, { userId: anId(1), memberType: 'admin', joinedAt: noon })
      await directory.putMember(ofGroup.groupId, { userId: anId(2), memberType: 'member', joinedAt: noon })
    })
    const idsFor = (userId: string, num = 10, withPortal = true) =>
      storage.read(async ({ drafts }) => {
        const found = await drafts.listPendingDrafts({ portalId: aDraft().portalId, withPortal, userId }, num)
        return found.map(({ draftId }) => draftId)
      })
    expect(await idsFor(anId(1))).toEqual([anId(702), anId(701)])
    expect(await idsFor(anId(1), 1)).toEqual([anId(702)])
    expect(await idsFor(anId(1), 10, false)).toEqual([anId(702)])
    expect(await idsFor(anId(2))).toEqual([anId(701)])
    expect(await idsFor(anId(2), 10, false)).toEqual([])
  })

  test('the draft that is due first is found once its time has come', async () => {
    const scheduled = { ...proposed, state: 'scheduled' } as const
    const storage = await openWith(
      aDraft({ ...scheduled, draftId: anId(701), publishAt: noon + 2 }),
      aDraft({ ...scheduled, draftId: anId(702), publishAt: noon + 1 }),
      aDraft({ ...scheduled, draftId: anId(703), state: 'failed', publishAt: noon }),
    )
    const dueAt = (now: number) =>
      storage.read(async ({ drafts }) => {
        const [of] = await drafts.listDuePublishers(now)
        expect(of?.publishAt ?? noon + 1).toBe(noon + 1)
        return of && (await drafts.findDueDraft(now, of))?.draftId
      })
    expect(await dueAt(noon)).toBeUndefined()
    expect(await dueAt(noon + 1)).toBe(anId(702))
    expect(await dueAt(noon + 3)).toBe(anId(702))
  })

  test('drafts of a group go with it', async () => {
    const storage = await openWith()
    await storage.write(async ({ directory, drafts }) => {
      await directory.addGroup(aGroup())
      await drafts.addDraft(aDraft({ owner: ofGroup }))
      await drafts.addDraft(aDraft({ draftId: anId(701) }))
      await directory.removeGroup(ofGroup.groupId, noon)
    })
    const left = await storage.read(async ({ drafts }) => [
      await drafts.listDrafts(ofGroup),
      await drafts.listDrafts(aDraft().owner),
    ])
    expect(left.map((drafts) => drafts.length)).toEqual([0, 1])
  })
}
