import { expect } from 'vitest'
import { openProgress, type StoredDraft } from '../../../src/categories/drafts/draft.ts'
import type { WorkStorage } from '../work-storage.ts'
import { aDraft, addPeople, aGroup, anId, aUser, noon, type OpenStorage, otherPortal, testOn } from './records.ts'

/** Drafts of category schemas. */
export function draftsContract(open: OpenStorage): void {
  const test = testOn(open, addPeople)

  async function add({ drafts }: WorkStorage, ...given: readonly StoredDraft[]): Promise<void> {
    for (const draft of given) await drafts.addDraft(draft)
  }

  const ofGroup = { kind: 'group', groupId: anId(100) } as const
  const proposed = { ...openProgress, state: 'proposed', stateBy: 'anna', stateAt: noon, note: 'Łódź' } as const

  test('a draft is found for its owner alone, and its progress is changed without its content', async ({ drafts }) => {
    const { draftId, owner } = aDraft()
    await drafts.addDraft(aDraft({ comment: 'Łódź' }))
    expect(await drafts.findDraft(ofGroup, draftId)).toBeUndefined()
    const moved = { ...proposed, revision: 3, people: { savers: [], proposer: { userId: anId(2), username: 'bruno' } } }
    await drafts.putProgress(draftId, moved)
    expect(await drafts.findDraft(owner, draftId)).toStrictEqual(aDraft({ comment: 'Łódź', ...moved }))
  })

  test('drafts are listed for their owner without their content, the latest change first', async ({ storage }) => {
    const times = [noon, noon + 2, noon + 1]
    const drafts = times.map((savedAt, at) => aDraft({ draftId: anId(701 + at), savedAt }))
    await add(storage, ...drafts, aDraft({ draftId: anId(710), owner: ofGroup }))
    const listed = await storage.drafts.listDrafts(aDraft().owner)
    const { document: _, moves: __, comment: ___, vanishing: ____, ...summary } = drafts[1]!
    expect(listed[0]).toStrictEqual(summary)
    expect(listed.map(({ savedAt }) => savedAt)).toEqual([noon + 2, noon + 1, noon])
  })

  test('pending drafts are of the organization, and of groups that the user governs', async ({
    directory,
    drafts,
    storage,
  }) => {
    const other = { kind: 'portal', portalId: otherPortal.portalId } as const
    await add(
      storage,
      aDraft(),
      aDraft({ ...proposed, draftId: anId(701) }),
      aDraft({ ...proposed, draftId: anId(702), owner: ofGroup, stateAt: noon + 1 }),
      aDraft({ ...proposed, draftId: anId(703), owner: other, portalId: otherPortal.portalId }),
    )
    await directory.addUser(aUser({ userId: anId(2), username: 'bruno' }), 'hash')
    await directory.addGroup(aGroup())
    await directory.putMember(ofGroup.groupId, { userId: anId(1), memberType: 'admin', joinedAt: noon })
    await directory.putMember(ofGroup.groupId, { userId: anId(2), memberType: 'member', joinedAt: noon })
    const idsFor = async (userId: string, num = 10, withPortal = true) => {
      const found = await drafts.listPendingDrafts({ portalId: aDraft().portalId, withPortal, userId }, num)
      return found.map(({ draftId }) => draftId)
    }
    expect(await idsFor(anId(1))).toEqual([anId(702), anId(701)])
    expect(await idsFor(anId(1), 1)).toEqual([anId(702)])
    expect(await idsFor(anId(1), 10, false)).toEqual([anId(702)])
    expect(await idsFor(anId(2))).toEqual([anId(701)])
    expect(await idsFor(anId(2), 10, false)).toEqual([])
  })

  test('the draft that is due first is found once its time has come', async ({ drafts, storage }) => {
    const scheduled = { ...proposed, state: 'scheduled' } as const
    await add(
      storage,
      aDraft({ ...scheduled, draftId: anId(701), publishAt: noon + 2 }),
      aDraft({ ...scheduled, draftId: anId(702), publishAt: noon + 1 }),
      aDraft({ ...scheduled, draftId: anId(703), state: 'failed', publishAt: noon }),
    )
    const dueAt = async (now: number) => {
      const [of] = await drafts.listDuePublishers(now)
      expect(of?.publishAt ?? noon + 1).toBe(noon + 1)
      return of && (await drafts.findDueDraft(now, of))?.draftId
    }
    expect(await dueAt(noon)).toBeUndefined()
    expect(await dueAt(noon + 1)).toBe(anId(702))
    expect(await dueAt(noon + 3)).toBe(anId(702))
  })

  test('drafts of a group go with it', async ({ directory, drafts }) => {
    await directory.addGroup(aGroup())
    await drafts.addDraft(aDraft({ owner: ofGroup }))
    await drafts.addDraft(aDraft({ draftId: anId(701) }))
    await directory.removeGroup(ofGroup.groupId, noon)
    const left = [await drafts.listDrafts(ofGroup), await drafts.listDrafts(aDraft().owner)]
    expect(left.map((listed) => listed.length)).toEqual([0, 1])
  })
}
