import type { Call } from '../../../call/call.ts'
import type { Parsed } from '../../../call/parsed.ts'
import { OperationRefused, PortalError } from '../../../errors.ts'
import { attemptOperation } from '../../../operations/attempt.ts'
import type { Dependencies } from '../../../operations/dependencies.ts'
import { type PermissionQuestion, PermissionsPassed } from '../../../operations/permission-check.ts'
import { type Query, searches } from '../../../operations/registry.ts'
import { findNearest, withHint } from '../../../spelling.ts'
import type { Readers } from '../../../storage/storage.ts'
import { exampleIds } from '../../examples/examples.ts'
import { type RequestParameters, readRequestParameters } from '../../request/request-parameters.ts'
import { permissionShape, permissionToWire } from '../../shapes/directory/permission.ts'
import { type ApiRequest, type Endpoint, endpoint } from '../endpoint.ts'
import { optionalText, type Parameter, requiredJson, Wrong } from '../parameter-types.ts'
import { readValues } from '../parameter-values.ts'
import { findMisspelt } from '../unknown-parameters.ts'

const { portalId, groupId, username } = exampleIds

/** Whether a user may call one of the other operations. */
export function permissionCheckRow(others: readonly Endpoint[]): Endpoint {
  const known = new Map(others.filter(isKnown).map((row) => [row.id, row]))
  const idNames = [...new Set([...known.values()].flatMap(idsOf))]
  return endpoint({
    id: 'checkPermission',
    room: 'directory',
    title: 'Permission check',
    task: 'check the permission',
    goals: ['See what a person may do, and why'],
    effect: 'none',
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
    token: 'required',
    who: 'Users, about themselves; administrators of the organization, about each of its users',
    summary: 'Whether a user may call an operation, and why: decided by the operation itself, and nothing is changed.',
    source: 'chosen',
    extension: 'permissionCheck',
    chosen: [
      'The operation is executed as the user, on a snapshot without any method that writes, up to its first write: what decides there decides here. Nothing is written, not even in the audit.',
      'Without parameters, only permission is judged. With them, the state of things too: refusedNow says what the call would be refused for. Of several targets in parameters, one that is permitted is enough.',
      'A parameter that is not known, and near to one that is not given, is refused, here and in parameters: the answer would be to another question.',
      'Operations that need no token, and a few that look at many rows without any parameter, are not known here.',
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
      // Refused by then, if the question has problems.
      const { row } = (asked as { readonly value: AskedQuestion }).value
      return { json: permissionToWire(row, found) }
    },
  })
}

/** What is executed without a deadline of its own must not look at any number of rows; without a token, there is no permission. */
function isKnown({ id, token, parameters, isAlwaysRefused }: Endpoint): boolean {
  if (token === 'none' || isAlwaysRefused) return false
  return !(id in searches) || Object.keys(parameters).length > 0
}

/** Names of the ids in its path; the organization is that of the question. */
function idsOf({ path }: Endpoint): readonly string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!).filter((name) => name !== 'portalId')
}

/** A choice; what is wrong is said without repeating all of it. */
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
  request: Pick<ApiRequest, 'ids' | 'dependencies' | 'now' | 'address' | 'agent' | 'publicUrl' | 'settings'>,
): Promise<Parsed<AskedQuestion>> {
  const row = known.get(operation)!
  const problems = [...findTargetProblems(row, target), ...findParameterProblems(row, parameters)]
  if (problems.length > 0) return { problems }
  const form = new URLSearchParams(parameters).toString()
  const requestParameters = await readRequestParameters({
    query: form,
    contentType: undefined,
    body: undefined,
    bareBody: undefined,
  })
  const attempt = (stores: Readers, call: Call) =>
    attemptRow(
      row,
      { ...request.ids, ...target },
      { isGiven: parameters !== undefined, requestParameters },
      request,
      stores,
      call,
    )
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

interface GivenParameters {
  readonly isGiven: boolean
  readonly requestParameters: RequestParameters
}

/** In place of parameters: what the operation refuses as soon as permission is given. */
const notLookedAt = { problems: ['Parameters are not looked at.'] }

function isNotLookedAt(error: unknown): boolean {
  return error instanceof OperationRefused && error.details.includes(notLookedAt.problems[0]!)
}

/** The row's own answer, up to its first write: every query and the operation itself on one snapshot. */
async function attemptRow(
  row: Endpoint,
  ids: Texts,
  { isGiven, requestParameters }: GivenParameters,
  {
    dependencies,
    now,
    address,
    agent,
    publicUrl,
    settings,
  }: Pick<ApiRequest, 'dependencies' | 'now' | 'address' | 'agent' | 'publicUrl' | 'settings'>,
  stores: Readers,
  call: Call,
): Promise<void> {
  const hasParameters = Object.keys(row.parameters).length > 0
  const attempted = {
    ids,
    input: isGiven || !hasParameters ? readValues(row.parameters, requestParameters) : notLookedAt,
    requestParameters,
    dependencies: withoutSlowWork(dependencies),
    now,
    ifMatch: undefined,
    format: 'json',
    address,
    agent,
    tokenHash: undefined,
    noteSignIn() {},
    findClient: () => undefined,
    findCrossSiteOrigin: () => undefined,
    publicUrl,
    settings,
    read: <Input>(query: Query<Input, unknown>, given: Input) => query(stores, call, given),
    search: (operation: string, given: unknown) => attemptOperation(stores, call, operation, given),
    run: (given: unknown) => attemptOperation(stores, call, row.id, given),
  }
  try {
    requireAnyDone(await row.answer(attempted as unknown as ApiRequest))
  } catch (error) {
    throw isNotLookedAt(error) ? new PermissionsPassed() : error
  }
}

/** Of several targets each has its own outcome; this is reached where none was written to, so all of them are refused. */
function requireAnyDone(answer: unknown): void {
  const { results = [] } = (answer as { readonly json?: { readonly results?: readonly OneResult[] } }).json ?? {}
  const refused = results.find(({ error }) => error)?.error
  if (refused) throw new PortalError(refused)
}

interface OneResult {
  readonly error?: Pick<PortalError, 'code' | 'message'>
}

/** Slow work is done between a read, which judges permission, and a write: what comes to it is permitted. */
function withoutSlowWork(dependencies: Dependencies): Dependencies {
  const pass = async (): Promise<never> => {
    throw new PermissionsPassed()
  }
  return {
    ...dependencies,
    passwords: { hash: pass, verify: pass },
    signer: { ...dependencies.signer, sign: pass },
    schemaFileReader: { read: pass },
  }
}
