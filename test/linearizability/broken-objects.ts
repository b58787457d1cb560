import { type InvitationInput, invitation, type SchemaInput } from './models.ts'

/** Objects in memory that take several steps for an operation, each with a right way and a wrong one. */

type Pause = () => Promise<void>
type Documents = Map<string, string>

/** Something that answers; `replica` says which of several is asked. */
export type Answering<Input> = (input: Input, replica: number) => Promise<string | null>

/** Which caches a write ends. */
export type Forgetting = (caches: readonly Documents[], writer: Documents) => readonly Documents[]

export const forgetEverywhere: Forgetting = (caches) => caches
/** Wrong: another replica goes on answering what it read before. */
export const forgetHere: Forgetting = (_, writer) => [writer]

/** Schemas behind two replicas, each of which answers reads from a cache. */
export function cachedSchemas(pause: Pause, forgetting: Forgetting): Answering<SchemaInput> {
  const documents: Documents = new Map()
  const caches: readonly Documents[] = [new Map(), new Map()]
  return async (input, replica) => {
    const cache = caches[replica % caches.length]!
    const { owner } = input
    await pause()
    if (input.operation === 'read') {
      const document = cache.get(owner) ?? documents.get(owner)
      if (document !== undefined) cache.set(owner, document)
      await pause()
      return document ?? null
    }
    const wasSet = documents.has(owner)
    if (input.operation === 'assign') documents.set(owner, input.document)
    else documents.delete(owner)
    for (const forgetful of forgetting(caches, cache)) forgetful.delete(owner)
    await pause()
    return input.operation === 'delete' && !wasSet ? 'missing' : 'success'
  }
}

type InvitationState = typeof invitation.init

/** Puts a state in the place of the one that was found; returns whether it did. */
export type Writing = (
  states: Map<string, InvitationState>,
  key: string,
  found: InvitationState,
  next: InvitationState,
) => boolean

export const compareAndSet: Writing = (states, key, found, next) => {
  if ((states.get(key) ?? invitation.init) !== found) return false
  states.set(key, next)
  return true
}

/** Wrong: overwrites a state that another client has written since it was read. */
export const overwrite: Writing = (states, key, _, next) => {
  states.set(key, next)
  return true
}

/** Invitations that are read, decided on, and written in another step. */
export function invitations(pause: Pause, write: Writing): Answering<InvitationInput> {
  const states = new Map<string, InvitationState>()
  return async (input) => {
    const key = input.invitation
    for (;;) {
      await pause()
      const found = states.get(key) ?? invitation.init
      const [output, next] = invitation.run(found, input)
      if (next === found) return output
      await pause()
      if (write(states, key, found, next)) return output
    }
  }
}

/** Heads say which owners have a schema; a document is only read where there is a head. */
interface Tables {
  readonly heads: Set<string>
  readonly documents: Documents
}

/** Answers whether there was something to delete. */
export type Deleting = (tables: Tables, owner: string, pause: Pause) => Promise<boolean>

export const deleteAtOnce: Deleting = async ({ heads, documents }, owner) => {
  heads.delete(owner)
  return documents.delete(owner)
}

/** Wrong: between the two steps others find a document without a head, or assign one that the second step takes away. */
export const deleteByHalves: Deleting = async ({ heads, documents }, owner, pause) => {
  if (!documents.has(owner)) return false
  heads.delete(owner)
  await pause()
  documents.delete(owner)
  return true
}

/** Schemas of two tables. */
export function headedSchemas(pause: Pause, deleting: Deleting): Answering<SchemaInput> {
  const tables: Tables = { heads: new Set(), documents: new Map() }
  return async (input) => {
    const { owner } = input
    await pause()
    if (input.operation === 'delete') {
      const wasSet = await deleting(tables, owner, pause)
      await pause()
      return wasSet ? 'success' : 'missing'
    }
    if (input.operation === 'assign') {
      tables.documents.set(owner, input.document)
      tables.heads.add(owner)
      await pause()
      return 'success'
    }
    const document = tables.heads.has(owner) ? tables.documents.get(owner) : undefined
    await pause()
    return document ?? null
  }
}
