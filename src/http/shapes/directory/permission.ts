import { isAllowed, type PermissionVerdict } from '../../../operations/permission-check.ts'
import { boolean, choice, component, list, object, text, type ValueOf } from '../shape.ts'

const verdicts = ['permitted', 'refusedNow', 'forbidden', 'notFound', 'disabled'] as const

/** Whether a user may call an operation, and why. */
export const permissionShape = object(
  {
    user: text('Username.'),
    operation: text('Id of the operation.'),
    allowed: boolean('Whether the user may call it.'),
    verdict: choice(
      verdicts,
      'permitted; refusedNow: permitted, but refused for what is given or as things are; forbidden; notFound: it does not exist, or the user does not see it; disabled: the user is.',
    ),
    reason: text('Why, in words.'),
    who: text('Who may call it, as documented.'),
  },
  {
    privilege: text('The privilege that the role of the user lacks, where it is one alone.'),
    details: list(text(), 'With refusedNow: what it would be refused for.'),
  },
)

/** Operations that permission can be asked for. */
export const checkedOperationsShape = object({
  operations: list(
    component(
      'CheckedOperation',
      'An operation that permissionCheck knows.',
      object({
        id: text('Its operationId in /openapi.json.'),
        title: text(),
        room: text('Part of the API that it belongs to.'),
        target: list(text(), 'Names of the ids in its path, all of which target has to have.'),
        parameters: list(text(), 'Names of parameters that parameters may have; none if it changes nothing.'),
      }),
    ),
  ),
})

/** Description of the operation that was asked about. */
interface AskedOperation {
  readonly id: string
  readonly task: string
  readonly who: string
}

export function permissionToWire(
  { id, task, who }: AskedOperation,
  found: PermissionVerdict & { readonly username: string },
): ValueOf<typeof permissionShape> {
  const { username: user, verdict } = found
  return {
    user,
    operation: id,
    allowed: isAllowed(found),
    verdict,
    reason: reasonOf(found, task, who),
    who,
    ...(found.verdict === 'forbidden' && found.privilege !== undefined && { privilege: found.privilege }),
    ...(found.verdict === 'refusedNow' && { details: found.details }),
  }
}

function reasonOf(found: PermissionVerdict & { readonly username: string }, task: string, who: string): string {
  const { username: user } = found
  switch (found.verdict) {
    case 'permitted':
      return `${user} may ${task}. Who may call: ${who}.`
    case 'refusedNow':
      return `${user} may ${task}, but it would be refused: ${found.details.join(' ')}`
    case 'forbidden': {
      const { privilege } = found
      if (privilege === undefined) return `${user} may not ${task}. Who may call: ${who}.`
      return `${user} may not ${task}: the role of the user does not have the privilege ${privilege}.`
    }
    case 'notFound':
      return `${user} may not ${task}, as ${user} does not see it, or it does not exist: ${found.message}`
    case 'disabled':
      return `${user} may not ${task}, as ${user} is disabled.`
  }
}
