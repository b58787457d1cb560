import type { Caller } from '../../call/caller.ts'
import { usernameKey } from '../../directory/user.ts'
import { operationRefused, permissionDenied } from '../../errors.ts'
import { say } from '../../sentences/say.ts'
import { asksForApproval, type EditableOwner } from '../owners.ts'
import type { CategoryReaders } from '../store.ts'
import type { Person, SchemaDraft } from './draft.ts'

/** The person who calls; an app is none, and neither is its owner. */
export function personOf({ isApp, userId, username }: Caller): readonly Person[] {
  return isApp ? [] : [{ userId, username }]
}

/** Persons who have saved a draft, with the one who saves it now. */
export function withSaver(savers: readonly Person[], caller: Caller): readonly Person[] {
  return [...savers.filter(({ userId }) => userId !== caller.userId), ...personOf(caller)]
}

/**
 * A draft is published by another than who saved or proposed it where the organization asks for two people. A person answers for
 * it: what an app saved, or who is not known, has to be saved or proposed by one.
 */
export async function requireSecondPerson(
  stores: CategoryReaders,
  { caller, ...editable }: EditableOwner,
  { state, savedBy, people: { savers, proposer } }: SchemaDraft,
  ifRevision: number | undefined,
): Promise<void> {
  if (!(await asksForApproval(stores, editable))) return
  if (state !== 'proposed' && state !== 'scheduled') throw operationRefused(say('proposeFirst'))
  if (caller.isApp) throw permissionDenied().because([say('appIsNoSecondPerson')])
  // A name counts beside the id, in any case: someone may have been deleted and created again.
  const isNameOfCaller = (username: string) => usernameKey(username) === usernameKey(caller.username)
  const isCaller = ({ userId, username }: Person) => userId === caller.userId || isNameOfCaller(username)
  if (savers.some(isCaller) || isNameOfCaller(savedBy)) {
    throw operationRefused(say('saverMayNot'))
  }
  if (proposer && isCaller(proposer)) throw operationRefused(say('proposerMayNot'))
  if (!proposer && !savers.some(({ username }) => username === savedBy)) {
    throw operationRefused(say('savedByNoPerson', { username: savedBy }))
  }
  if (ifRevision === undefined) throw operationRefused(say('revisionNeeded'))
}
