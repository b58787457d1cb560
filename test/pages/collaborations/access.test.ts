import { expect, test } from 'vitest'
import { changedAccess } from '../../../pages/src/collaborations/access.ts'
import type { WireWorkspace } from '../../../src/http/shapes/collaborations/workspace.ts'

/** A workspace in which the guest does so; in which it has no part where that is left out. */
function workspace(id: string, accessMode?: 'send' | 'receive'): WireWorkspace {
  const parts = accessMode ? [{ portalId: 'guest', accessMode }] : []
  return { id, participantGroupLinks: [], participantsWithoutGroupLinks: parts } as unknown as WireWorkspace
}

test('only what was changed is sent; a workspace without the guest stays so', () => {
  const workspaces = [workspace('a', 'send'), workspace('b', 'receive'), workspace('c'), workspace('d')]
  const chosen = { a: 'send', b: 'send', c: '', d: 'receive' }
  expect(changedAccess(workspaces, 'guest', chosen)).toEqual([{ b: 'send' }, { d: 'receive' }])
  expect(changedAccess(workspaces, 'guest', { a: 'send', b: 'receive', c: '', d: '' })).toEqual([])
})
