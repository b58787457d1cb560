import type { Model } from './checker.ts'

/** An object as its specification has it: what an operation is answered in a state, and the state that it leaves. */
interface Specification<State, Input extends { readonly operation: string }> {
  keyOf(input: Input): string
  /** The operation that changes nothing. */
  readonly reads: Input['operation']
  readonly init: State
  run(state: State, input: Input): readonly [output: string | null, next: State]
  textOf(state: State): string
  simplify?: Model<State, Input, string | null>['simplify']
}

/** A model that can be run as well: it has one answer to each operation. */
export type RunnableModel<State, Input extends { readonly operation: string }> = Model<State, Input, string | null> &
  Omit<Specification<State, Input>, 'simplify'>

export function modelOf<State, Input extends { readonly operation: string }>(
  specification: Specification<State, Input>,
): RunnableModel<State, Input> {
  return {
    simplify: () => (input) => input,
    ...specification,
    isRead: ({ operation }) => operation === specification.reads,
    step(state, input, output) {
      const [expected, next] = specification.run(state, input)
      return output === undefined || output === expected ? next : undefined
    },
  }
}

/** A value that is read, written, and written where it is another one. */
export type RegisterInput =
  | { readonly operation: 'read' }
  | { readonly operation: 'write'; readonly value: string }
  | { readonly operation: 'compareAndSet'; readonly from: string; readonly to: string }

/** A read is answered with the value, `null` before the first; a write with `ok`; compare-and-set with `ok` or `no`. */
export const register = modelOf<string | null, RegisterInput>({
  keyOf: () => 'register',
  reads: 'read',
  init: null,
  run(value, input) {
    switch (input.operation) {
      case 'read':
        return [value, value]
      case 'write':
        return ['ok', input.value]
      case 'compareAndSet':
        return value === input.from ? ['ok', input.to] : ['no', value]
    }
  },
  textOf: JSON.stringify,
})

/** The category schema of a group or an organization; documents are the texts that a read answers. */
export type SchemaInput =
  | { readonly operation: 'assign'; readonly owner: string; readonly document: string }
  | { readonly operation: 'delete' | 'read'; readonly owner: string }

const unread = 'a document that was not read'

/** Answers are those of `schemaAnswerOf`. */
export const schema = modelOf<string | null, SchemaInput>({
  keyOf: ({ owner }) => owner,
  reads: 'read',
  init: null,
  run(document, input) {
    switch (input.operation) {
      case 'assign':
        return ['success', input.document]
      case 'delete':
        return document === null ? ['missing', null] : ['success', null]
      case 'read':
        return [document, document]
    }
  },
  textOf: JSON.stringify,
  // Documents that were not read might as well be one.
  simplify(history) {
    const read = new Set(history.map(({ answer }) => answer?.output))
    return (input) =>
      input.operation === 'assign' && !read.has(input.document) ? { ...input, document: unread } : input
  },
})

/** `success`, `missing` for a 404, `null` where none is set; any other text as it is: the document, or what no model says. */
export function schemaAnswerOf(text: string): string | null {
  const body = JSON.parse(text)
  if (body.success === true) return 'success'
  if (body.error?.code === 404) return 'missing'
  return body.categorySchema?.length === 0 ? null : text
}

/** The tag of an item before the first update. */
export const firstTag = 'new'

/** The tag of an item that is written; each is written once. */
export type ItemInput =
  | { readonly operation: 'update'; readonly item: string; readonly tag: string }
  /** A search by the tag, or one that counts tags. */
  | { readonly operation: 'search'; readonly item: string; readonly tag?: string }

/** An item as searches find it; answers are those of `itemAnswerOf`. */
export const item = modelOf<string, ItemInput>({
  keyOf: (input) => input.item,
  reads: 'search',
  init: firstTag,
  run(tag, input) {
    if (input.operation === 'update') return ['success', input.tag]
    if (input.tag === undefined) return [tag, tag]
    return [input.tag === tag ? 'found' : 'missing', tag]
  },
  textOf: (tag) => tag,
})

/** `success`, or of a search: whether it found the item, or its tag, if the count and the item that is found agree about it. */
export function itemAnswerOf(text: string, { item, tag }: ItemInput): string {
  const { success, total, results, aggregations } = JSON.parse(text)
  if (success === true) return 'success'
  if (total === 0 && tag !== undefined) return 'missing'
  const of = (tags: readonly string[]) => tags.filter((other) => other !== item)
  const [found, ...others] = of(results?.[0]?.tags ?? [])
  const counted = aggregations?.counts[0].fieldValues.map(({ value }: { readonly value: string }) => value) ?? []
  if (total !== 1 || !found || others.length > 0 || found !== of(counted).join()) return text
  return tag === undefined ? found : 'found'
}

type InvitationStatus = 'host_created' | 'host_accepted' | 'host_invalidated'

export interface InvitationInput {
  /** An import is that of a valid response to the first file. */
  readonly operation: 'invalidate' | 'import' | 'refresh' | 'read'
  readonly invitation: string
}

interface InvitationState {
  readonly status: InvitationStatus
  /** A response to the first file does not import any more. */
  readonly isRefreshed: boolean
}

const accepted = 'Invitation has already been accepted.'
const invalidated = 'Invitation has been invalidated.'
const anotherFile = 'The response is for another file than the one that the invitation has now.'

/** An invitation on its host, from its creation and within its time; answers are those of `invitationAnswerOf`. */
export const invitation = modelOf<InvitationState, InvitationInput>({
  keyOf: (input) => input.invitation,
  reads: 'read',
  init: { status: 'host_created', isRefreshed: false },
  run(state, { operation }) {
    const { status, isRefreshed } = state
    if (operation === 'read') return [status, state]
    if (status === 'host_accepted') return [accepted, state]
    if (status === 'host_invalidated') return [operation === 'invalidate' ? 'success' : invalidated, state]
    switch (operation) {
      case 'invalidate':
        return ['success', { ...state, status: 'host_invalidated' }]
      case 'import':
        return isRefreshed ? [anotherFile, state] : ['success', { ...state, status: 'host_accepted' }]
      case 'refresh':
        return ['file', { ...state, isRefreshed: true }]
    }
  },
  textOf: ({ status, isRefreshed }) => `${status}${isRefreshed ? ', refreshed' : ''}`,
})

/** `success`, `file`, the status of the record that was read, or the sentence of a refusal. */
export function invitationAnswerOf(text: string): string {
  const body = JSON.parse(text)
  if (body.success === true) return 'success'
  if (body.invitationRequest) return 'file'
  return body.status ?? body.error?.details?.[0] ?? text
}
