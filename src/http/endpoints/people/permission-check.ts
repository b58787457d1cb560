import type { Call } from '../../../call/call.ts'
import type { Parsed } from '../../../call/parsed.ts'
import type { PermissionQuestion } from '../../../operations/permission-check.ts'
import { searches } from '../../../operations/registry.ts'
import { findNearest, withHint } from '../../../spelling.ts'
import type { Readers } from '../../../storage/storage.ts'
import { exampleIds } from '../../examples/examples.ts'
import { checkedOperationsShape, permissionShape, permissionToWire } from '../../shapes/directory/permission.ts'
import { type ApiRequest, type Endpoint, endpointsOf } from '../endpoint.ts'
import { optionalText, type Parameter, requiredJson, Wrong } from '../parameter-types.ts'
import { findMisspelt } from '../parameter-warnings.ts'
import { attemptRow, type Origin, readGiven } from './permission-attempt.ts'

const endpoint = endpointsOf('directory')

const { portalId, groupId, username } = exampleIds

/** Whether a user may call one of the other operations, and which of them permission can be asked for. */
export function permissionCheckRows(others: readonly Endpoint[]): readonly Endpoint[] {
  const known = new Map(others.filter(isKnown).map((row) => [row.id, row]))
  return [permissionCheckRow(known), checkedOperationsRow([...known.values()])]
}

function permissionCheckRow(known: ReadonlyMap<string, Endpoint>): Endpoint {
  const idNames = [...new Set([...known.values()].flatMap(idsOf))]
  return endpoint({
    id: 'checkPermission',
    title: 'Permission check',
    task: 'check the permission',
    goals: ['See what a person may do, and why'],
    refusesMisspelt: true,
    path: '/portals/:portalId/permissionCheck',
    parameters: {
      user: optionalText('Username, or id, of the user; by default the caller.', { maxLength: 128 }),
      operation: operationParameter([...known.keys()]),
      target: optionalObject(
        `JSON object with the ids in the path of the operation, by their names: ${idNames.join(', ')}.`,
      ),
      parameters: optionalObject(
        'JSON object with parameters of an operation that changes something, where permission depends on them: {"items":[{"<id>":{"categories":[]}}]}. Secrets are refused.',
      ),
    },
    asksFor: { username: (user) => ({ user, operation: 'readPortal' }) },
    who: 'Users, about themselves; administrators of the organization, about each of its users',
    summary: 'Whether a user may call an operation, and why: decided by the operation itself, and nothing is changed.',
    source: 'chosen',
    extension: 'permissionCheck',
    chosen: [
      'The operation is executed as the user, on a snapshot without any method that writes, up to its first write: what decides there decides here. Nothing is written, not even in the audit.',
      'Without parameters, only permission is judged. With them, the state of things too: refusedNow says what the call would be refused for. Of several targets in parameters, one that is permitted is enough.',
      'A parameter that is not known, and near to one that is not given, is refused, here and in parameters: the answer would be to another question.',
      'Operations that need no token, and a few that look at many rows without any parameter, are not known here; /checkedOperations lists the others.',
    ],
    answers: { json: permissionShape },
    example: {
      ids: { portalId },
      parameters: { user: username, operation: 'assignGroupCategorySchema', target: JSON.stringify({ groupId }) },
      answer: {
        user: username,
        operation: 'assignGroupCategorySchema',
        allowed: false,
        verdict: 'forbidden',
        reason: 'anna may not assign category schema. Who may call: Owner and managers of the group.',
        who: 'Owner and managers of the group',
      },
    },
    async answer(request) {
      const { ids, input, run } = request
      const asked = 'problems' in input ? input : await readQuestion(known, input.value, request)
      const question = 'problems' in asked ? asked : { value: asked.value.question }
      const found = await run({ portalId: ids.portalId, question })
      // A question with problems was refused before.
      const { row } = (asked as { readonly value: AskedQuestion }).value
      return { json: permissionToWire(row, found) }
    },
  })
}

function checkedOperationsRow(known: readonly Endpoint[]): Endpoint {
  const operations = known.map((row) => {
    const { id, title, room } = row
    return { id, title, room, target: idsOf(row), parameters: givableOf(row) }
  })
  return endpoint({
    id: 'listCheckedOperations',
    title: 'Checked operations',
    path: '/checkedOperations',
    token: 'none',
    who: 'Anyone',
    summary: 'The operations that permissionCheck knows, with what it has to be given for each.',
    source: 'chosen',
    extension: 'permissionCheck',
    answers: { json: checkedOperationsShape },
    example: {
      varies: true,
      answer: { operations: operations.filter(({ id }) => id === 'assignGroupCategorySchema') },
    },
    answer: async () => ({ json: { operations } }),
  })
}

/** Names of parameters that the question may have. */
function givableOf({ effect, parameters }: Endpoint): readonly string[] {
  if (effect === 'none') return []
  return Object.keys(parameters).filter((name) => !parameters[name]!.isSecret)
}

/**
 * Whether permission for it can be checked: not for a row without a token, which needs none, nor for one that is always refused.
 * A search without parameters is left out too: it could read any number of rows, and has no deadline of its own here.
 */
export function isKnown({ id, token, parameters, isAlwaysRefused }: Endpoint): boolean {
  if (token === 'none' || isAlwaysRefused) return false
  return !(id in searches) || Object.keys(parameters).length > 0
}

/** Names of the ids in its path; the organization is that of the question. */
export function idsOf({ path }: Endpoint): readonly string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!).filter((name) => name !== 'portalId')
}

/** Parameter that is one of the known ids; its refusal does not list all of them. */
function operationParameter(known: readonly string[]): Parameter<string> {
  return {
    type: 'string',
    isRequired: true,
    meaning: 'Id of the operation: its operationId in /openapi.json.',
    choices: known,
    read(given) {
      const text = given?.trim() ?? ''
      if (text === '') return new Wrong('give a value.')
      const found = known.find((id) => id.toLowerCase() === text.toLowerCase())
      if (found !== undefined) return found
      return new Wrong(withHint('is not an operation that is known here', findNearest(text, known)))
    },
  }
}

type Texts = Readonly<Record<string, string>>

function optionalObject(meaning: string): Parameter<Texts | undefined> {
  const parameter = requiredJson(meaning, readTexts)
  return {
    ...parameter,
    isRequired: false,
    read: (given) => (given === undefined || given.trim() === '' ? undefined : parameter.read(given)),
  }
}

/** `{"num":5,"items":[…]}` → the texts of parameters. */
function readTexts(value: unknown): Parsed<Texts> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problems: ['is not a JSON object.'] }
  const entries = Object.entries(value).map(([name, one]) => [
    name,
    typeof one === 'string' ? one : JSON.stringify(one),
  ])
  return { value: Object.fromEntries(entries) }
}

interface AskedValues {
  readonly user: string | undefined
  readonly operation: string
  readonly target: Texts | undefined
  readonly parameters: Texts | undefined
}

interface AskedQuestion {
  readonly row: Endpoint
  readonly question: PermissionQuestion
}

async function readQuestion(
  known: ReadonlyMap<string, Endpoint>,
  { user, operation, target = {}, parameters }: AskedValues,
  request: Origin & Pick<ApiRequest, 'ids'>,
): Promise<Parsed<AskedQuestion>> {
  const row = known.get(operation)!
  const problems = [...findTargetProblems(row, target), ...findParameterProblems(row, parameters)]
  if (problems.length > 0) return { problems }
  const given = await readGiven(parameters)
  const attempt = (stores: Readers, call: Call) =>
    attemptRow(row, { ...request.ids, ...target }, given, request, stores, call)
  return { value: { row, question: { user, attempt } } }
}

function findTargetProblems(row: Endpoint, target: Texts): readonly string[] {
  const names = idsOf(row)
  const missing = names.filter((name) => !target[name]).map((name) => `target: give ${name} for ${row.id}.`)
  const unknown = Object.keys(target).filter((name) => !names.includes(name))
  return [
    ...missing,
    ...unknown.map((name) => `target: ${row.id} has no ${name.slice(0, 64).toWellFormed()} in its path.`),
  ]
}

function findParameterProblems(row: Endpoint, given: Texts | undefined): readonly string[] {
  if (given === undefined) return []
  if (row.effect === 'none') return [`parameters: ${row.id} changes nothing; leave them out.`]
  const written = Object.keys(given)
  const named = { names: () => written, areAll: (isTrue: (name: string) => boolean) => written.every(isTrue) }
  const misspelt = findMisspelt(row, named)
  if (misspelt.length > 0) return misspelt.map((sentence) => `parameters: ${sentence}`)
  // Names of parameters are found in any case.
  const names = new Set(written.map((name) => name.toLowerCase()))
  const secret = Object.keys(row.parameters).find(
    (name) => row.parameters[name]!.isSecret && names.has(name.toLowerCase()),
  )
  return secret === undefined ? [] : [`parameters: ${secret} is a secret; leave it out.`]
}
