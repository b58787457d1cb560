import type { Operation } from './checker.ts'
import type { InvitationInput, RegisterInput, SchemaInput } from './models.ts'

type Output = string | null
type Called<Input> = readonly [input: Input, output: Output]

/**
 * Reads a drawn history, a line for each client: the columns of the brackets are the times of call and return, and an
 * operation that ends in dots has no answer.
 *
 *     A [write 1     ]  [write 2...
 *     B    [read 1]
 */
export function parseTimeline<Input>(
  drawing: string,
  parse: (...words: readonly string[]) => Called<Input>,
): readonly Operation<Input, Output>[] {
  return drawing
    .split('\n')
    .map((line) => line.trimStart())
    .flatMap((line) =>
      [...line.matchAll(/\[([^[\]]*?)\s*(\]|\.\.\.)/g)].map(({ index: calledAt, 0: drawn, 1: words, 2: end }) => {
        const [input, output] = parse(...words!.split(' '))
        const answer = end === ']' ? { output, returnedAt: calledAt + drawn.length - 1 } : undefined
        return { client: line.charAt(0), input, calledAt, answer }
      }),
    )
}

/** `read 1`, `read -`, `write 1`, `cas 1 2`, `cas 1 2 no` */
export function parseRegister(operation = '', first = '', second = '', answer = 'ok'): Called<RegisterInput> {
  if (operation === 'read') return [{ operation }, first === '-' ? null : first]
  if (operation === 'write') return [{ operation, value: first }, 'ok']
  return [{ operation: 'compareAndSet', from: first, to: second }, answer]
}

/** `read X`, `read -`, `assign X`, `delete`, `delete missing`; of another owner than `maps`: `plans read X` */
export function parseSchema(...words: readonly string[]): Called<SchemaInput> {
  if (words[0] === 'plans') return withOwner('plans', words.slice(1))
  return withOwner('maps', words)
}

function withOwner(owner: string, [operation, word]: readonly string[]): Called<SchemaInput> {
  if (operation === 'assign') return [{ operation, owner, document: word! }, 'success']
  if (operation === 'read') return [{ operation, owner }, word === '-' ? null : word!]
  return [{ operation: 'delete', owner }, word ?? 'success']
}

const answers: Readonly<Record<string, string>> = {
  created: 'host_created',
  accepted: 'host_accepted',
  invalidated: 'host_invalidated',
  'but accepted': 'Invitation has already been accepted.',
  'but invalidated': 'Invitation has been invalidated.',
  'but refreshed': 'The response is for another file than the one that the invitation has now.',
}

/** `read created`, `import`, `invalidate but accepted`, … */
export function parseInvitation(operation = '', ...words: readonly string[]): Called<InvitationInput> {
  const usual = operation === 'refresh' ? 'file' : 'success'
  const output = words.length === 0 ? usual : answers[words.join(' ')]!
  return [{ operation: operation as InvitationInput['operation'], invitation: 'one' }, output]
}
