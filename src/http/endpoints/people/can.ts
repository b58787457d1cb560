import type { Call } from '../../../call/call.ts'
import { isAllowed, judgeAttempt } from '../../../operations/permission-check.ts'
import type { Readers } from '../../../storage/storage.ts'
import type { ApiRequest, Endpoint } from '../endpoint.ts'
import { optionalBoolean } from '../parameter-types.ts'
import { attemptRow, readGiven } from './permission-attempt.ts'
import { idsOf, isKnown } from './permission-check.ts'

type Ids = Readonly<Record<string, string>>

const withCan = {
  ...optionalBoolean('true: with can, the ids of the operations that the caller may call on it.'),
  extension: 'withCan',
}

/** Has each row of a resource that names its id answer `can`, where `withCan=true` asks for it. */
export function answerCan(rows: readonly Endpoint[]): readonly Endpoint[] {
  const known = rows.filter((row) => isKnown(row) && !row.judgesEach)
  return rows.map((row) => (row.can ? withCanAnswered(row, row.can, known) : row))
}

function withCanAnswered(row: Endpoint, { id, idsOf: findIds }: Can, known: readonly Endpoint[]): Endpoint {
  return {
    ...row,
    parameters: { ...row.parameters, withCan },
    async answer(request) {
      const answer = await row.answer(request)
      if ('problems' in request.input || request.input.value['withCan'] !== true) return answer
      const json = (answer as { readonly json: Readonly<Record<string, unknown>> }).json
      const ids = { ...request.ids, ...findIds?.(json) }
      const can = await request.read((stores, call) => listAllowed(known, id, ids, request, stores, call), undefined)
      return { json: { ...json, can } }
    },
  }
}

type Can = NonNullable<Endpoint['can']>

/** Operations on the resource that has this id: those permitted to the caller, judged by the operations themselves. */
async function listAllowed(
  known: readonly Endpoint[],
  id: string,
  ids: Ids,
  request: ApiRequest,
  stores: Readers,
  call: Call,
): Promise<readonly string[]> {
  const allowed: string[] = []
  // Paths that need an organization get that of the caller.
  const named = { portalId: 'self', ...ids }
  for (const row of known.filter((one) => isOn(one, id, ids, call) && isOpenTo(one, call))) {
    const asked = row.asksFor?.[id]?.(ids[id]!)
    const given = await readGiven(asked)
    const verdict = await judgeAttempt(() => attemptRow(row, named, given, request, stores, call))
    // A target that is not the caller's to change is refused as input where there are parameters.
    if (asked ? verdict.verdict === 'permitted' : isAllowed(verdict)) allowed.push(row.id)
  }
  return allowed
}

/** Whether the operation acts on the resource itself, not below it. A path without ids stands for the caller's organization. */
function isOn(row: Endpoint, id: string, ids: Ids, { caller }: Call): boolean {
  if (row.asksFor?.[id]) return true
  const needed = idsOf(row)
  if (!needed.every((name) => name in ids)) return false
  if (id !== 'portalId') return needed.includes(id)
  const isOfCaller = !caller || ids[id] === 'self' || ids[id] === caller.portalId
  return isOfCaller || row.path.includes(':portalId')
}

function isOpenTo({ token, isForApps }: Endpoint, { caller }: Call): boolean {
  return caller ? !caller.isApp || isForApps === true : token === 'optional'
}
