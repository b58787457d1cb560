import type { Parsed } from '../../call/parsed.ts'
import type { ProviderSettings } from '../../identities/rules.ts'
import type { Dependencies } from '../../operations/dependencies.ts'
import {
  type CommandId,
  type EffectOf,
  effectOf,
  type InputOf,
  type OperationId,
  type OutputOf,
  type Query,
  type SearchId,
  searches,
} from '../../operations/registry.ts'
import { type DocumentAnswer, type FileAnswer, formats, type JsonAnswer, type TextAnswer } from '../answer.ts'
import type { ClientCredentials } from '../decoding/client-credentials.ts'
import type { RequestParameters } from '../decoding/request-parameters.ts'
import type { Shape } from '../shapes/shape.ts'
import { success, successShape } from '../shapes/success.ts'
import type { Goal } from './goals.ts'
import type { Parameters, Values } from './parameter-types.ts'

/** Effect of a call: none, an entry in the audit log, or a change and that entry. */
export type Effect = 'none' | 'audit' | 'change'

/** One row of the table of endpoints. */
export interface Endpoint<
  Id extends string = string,
  Described extends Parameters = Parameters,
  Path extends string = string,
  Leaves extends Effect = Effect,
  Answered extends Answers = Answers,
> {
  /** Id of the operation that it runs: in the registry, the audit, the logs and the OpenAPI document. */
  readonly id: Id
  readonly room: Room
  /** Heading of its page. */
  readonly title: string
  /** Task that a refusal names: "Unable to <task>." */
  readonly task: string
  /** The message code of each 400 that says so (chosen, after the documented one of an assign). */
  readonly refusalCode?: string
  /** Goals that it is a step of, for the index by task. */
  readonly goals?: readonly Goal[]
  /** A resource, which leaves nothing behind, is read by GET and POST alike; an operation is POST only (observed). */
  readonly effect: Leaves
  /** Whether `If-Match` is compared with the entity tag of the resource; other operations refuse it. */
  readonly comparesIfMatch?: true
  /**
   * Whether a parameter that is near to one of its own is refused (chosen): its answer has no room for a warning, or would be to
   * another question, or what was done to items by default is not undone.
   */
  readonly refusesMisspelt?: true
  /** Shape of a resource that clients send back whole, with changes: no warning names its other members then (observed). */
  readonly takesBack?: Shape
  /** Whether GET calls it too, although it is an operation (description §4.4). */
  readonly isCalledByGet?: true
  /** Whether a resource and an operation have its path: GET reads the one, POST calls the other (chosen). */
  readonly sharesPath?: true
  /** Programs call it that do not name a format: the answer is JSON, whatever `f` says (observed). */
  readonly isAlwaysJson?: true
  /** No call succeeds, and the example is a refusal: clients ask for what is not kept here. */
  readonly isAlwaysRefused?: true
  /** Below `<root>/sharing/rest`; `:name` stands for an id. */
  readonly path: Path
  readonly parameters: Described
  /** The parameter that a body without parameter names stands for (documented). */
  readonly bareBody?: keyof Described & string
  /**
   * Whether a token counts: `none` ignores it, `optional` answers anonymous callers where the resource is public,
   * `required` answers them 499.
   */
  readonly token: 'none' | 'optional' | 'required'
  /**
   * For a resource that shows with `withCan=true` what the caller may do with it: the name of its id, and the further ids that
   * paths of operations on it need, derived from its value (chosen).
   */
  readonly can?: {
    readonly id: string
    readonly idsOf?: (value: Readonly<Record<string, unknown>>) => Readonly<Record<string, string>>
  }
  /** Whether each of several targets is checked separately, so that `withCan` of a resource leaves it out (chosen). */
  readonly judgesEach?: true
  /** For an operation whose target is a parameter: by the name of an id, parameters by which permission for it is judged. */
  readonly asksFor?: Readonly<Record<string, (id: string) => Readonly<Record<string, string>>>>
  /** Whether an app may call it as itself, with its privileges; refused otherwise (chosen). */
  readonly isForApps?: true
  /** Who may call, in words. */
  readonly who: string
  readonly summary: string
  /** Bytes that its body may have; by default those of any body. */
  readonly maxBodyBytes?: number
  /** Whether failed attempts are counted, and too many of them answered 429. */
  readonly isRateLimited?: true
  /** Origin of the operation: a section of the description, `documented`, `observed` or `chosen`. */
  readonly source: string
  /** Its name among the extensions of /info, if the public API does not have it (chosen). */
  readonly extension?: string
  /** Release of the public API that brought it (description §9). */
  readonly since?: string
  /** Choices made where the contract leaves something open. */
  readonly chosen?: readonly string[]
  readonly answers: Answered
  readonly example: Example<Described, WireValue<Answered>>
  answer(request: ApiRequest<Id, Described, Path>): Promise<AnswerOf<Answered>>
}

/** Kind and shape of the answer of a call that succeeds: a value, a stored document, a file or a text. */
export type Answers =
  | { readonly json: Shape }
  /** A value, or a text in further formats: values of `f` that only this endpoint has. */
  | { readonly json: Shape; readonly texts: readonly string[] }
  | { readonly document: Shape }
  /** The shape of a file of JSON; files may be of other media types too. */
  | { readonly file: Shape; readonly otherTypes?: readonly string[] }
  /** The shape of the text where it is JSON. */
  | { readonly text: Shape }

type WireValue<Answered extends Answers> = Answered extends
  | { readonly json: Shape<infer Value> }
  | { readonly document: Shape<infer Value> }
  | { readonly file: Shape<infer Value> }
  | { readonly text: Shape<infer Value> }
  ? Value
  : never

type AnswerOf<Answered extends Answers> = Answered extends { readonly json: Shape<infer Value> }
  ? JsonAnswer<Value> | (Answered extends { readonly texts: unknown } ? TextAnswer : never)
  : Answered extends { readonly document: Shape }
    ? DocumentAnswer
    : Answered extends { readonly file: Shape }
      ? FileAnswer
      : TextAnswer

/** The shape of a row's answer, whichever way it is written. */
export function shapeOf({ answers }: Pick<Endpoint, 'answers'>): Shape {
  return Object.values(answers)[0] as Shape
}

/** Every value of `f` that the row knows. */
export function formatsOf({ answers }: Pick<Endpoint, 'answers'>): readonly string[] {
  return 'texts' in answers ? [...formats, ...answers.texts] : formats
}

export type Room = 'directory' | 'tokens' | 'oauth' | 'categories' | 'items' | 'collaborations' | 'webhooks' | 'audit'

/** A call and its answer, as documented and as tested. */
export interface Example<Described extends Parameters = Parameters, Value = unknown> {
  /** Caller, if it is not the administrator. */
  readonly caller?: 'anna' | 'guest'
  /**
   * How far the handshake has come before, where the invitation has not just been sent; or that an app is registered, and
   * its secret renewed; or that the organization has just been made.
   */
  readonly moment?: 'accepted' | 'imported' | 'registered' | 'renewed' | 'untouched'
  readonly ids?: Readonly<Record<string, string>>
  /** A file is given as its text. */
  readonly parameters?: { readonly [Name in keyof Described]?: string }
  /** Values are of this moment and this machine, or an excerpt: only the members are those of every answer. */
  readonly varies?: true
  /** Name of the file among the parameters. */
  readonly fileName?: string
  readonly answer: Value
}

/** Names of the ids in a path: `/portals/:portalId/roles/:roleId` → `portalId | roleId`. */
export type IdsOf<Path extends string> = Path extends `${string}:${infer Id}/${infer Rest}`
  ? Id | IdsOf<`/${Rest}`>
  : Path extends `${string}:${infer Id}`
    ? Id
    : never

/** A request as its endpoint sees it; without type arguments, that of any row. */
export interface ApiRequest<
  Id extends string = string,
  Described extends Parameters = Parameters,
  Path extends string = string,
> {
  /** Ids in the path; of several paths, those of one. */
  readonly ids: string extends Path
    ? Readonly<Record<string, string>>
    : Path extends string
      ? Readonly<Record<IdsOf<Path>, string>>
      : never
  readonly input: Parsed<Values<Described>>
  readonly requestParameters: RequestParameters
  readonly dependencies: Dependencies
  readonly now: number
  /** Revisions that `If-Match` names; undefined without the header. */
  readonly ifMatch: readonly string[] | 'any' | undefined
  /** Value of `f`, or what stands for it: one of the formats of the row. */
  readonly format: string
  /** Network address of the caller. */
  readonly address: string
  /** User agent of the caller; empty if the request has none. */
  readonly agent: string
  /** Languages that the caller's program asks for, the preferred first. */
  readonly languages: () => readonly string[]
  /** SHA-256 of the token of the request; undefined without one. */
  readonly tokenHash: string | undefined
  /** Names the user who signed in by this request, for the log. */
  readonly noteSignIn: (username: string) => void
  /** Does what has a queue of its own, whose time is not use of the server by the caller. */
  readonly elsewhere: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Waits without a place among the requests in progress; the signal aborts where the client goes. */
  readonly outside: <Result>(work: (signal: AbortSignal) => Promise<Result>) => Promise<Result>
  /** Client credentials in `Authorization: Basic`; undefined without them. */
  readonly findClient: () => ClientCredentials | undefined
  /** The other origin whose page sent the request; undefined if it is not cross-site. */
  readonly findCrossSiteOrigin: () => string | undefined
  /** Public root of this server, without a slash at the end. */
  readonly publicUrl: string
  readonly settings: EndpointSettings
  /**
   * Runs a query before the command, as the same caller. An endpoint that only reads has one query, and so answers from
   * one snapshot; `can` comes from a second one.
   */
  readonly read: string extends Id ? RunQuery : Id extends CommandId | SearchId ? RunQuery : undefined
  /** Runs a search in place of the command, for a dry run. */
  readonly search: string extends Id ? RunAny : Id extends CommandId ? RunSearch : undefined
  /** Runs the endpoint's own operation: a query on a snapshot, anything else with its audit entry in one transaction. */
  readonly run: string extends Id ? (input?: unknown) => Promise<unknown> : Id extends OperationId ? Run<Id> : undefined
}

/** Runs a query on a snapshot of its own. */
export type RunQuery = <Input, Output>(query: Query<Input, Output>, input: Input) => Promise<Output>

type RunSearch = <Id extends SearchId>(operation: Id, input: InputOf<Id>) => Promise<OutputOf<Id>>

type Run<Id extends OperationId> = (
  ...input: InputOf<Id> extends undefined ? [] : [InputOf<Id>]
) => Promise<OutputOf<Id>>

/** Runs an operation for a request whose row is not known statically. */
type RunAny = (operation: string, input: unknown) => Promise<unknown>

/** Settings that endpoints look at. */
export interface EndpointSettings {
  readonly takesPasswordsOfPrograms: boolean
  readonly membersRegisterApps: boolean
  readonly maxTokenExpirationMinutes: number
  readonly maxRefreshTokenMinutes: number
  readonly signInLimit: { readonly failures: number; readonly minutes: number }
  readonly allowedOrigins: readonly string[] | undefined
  readonly identityProvider: ProviderSettings | undefined
  /** Undefined where no mail is sent. */
  readonly mail: object | undefined
  readonly webhooks: { readonly isOn: boolean }
}

/** Writes the rows of a room. */
export function endpointsOf(room: Room) {
  /** Ties a row's answer to the operation, the parameters, the ids and the shape that it names. */
  return <
    const Id extends string,
    const Path extends string,
    Described extends Parameters = Record<never, never>,
    Answered extends Answers = { readonly json: typeof successShape },
  >(
    row: GivenRow<Endpoint<Id, Described, Path, EffectOf<Id>, Answered>>,
  ): Endpoint => {
    const { id } = row
    const task = id.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    return { room, task, ...defaults, ...row, effect: effectOf(id) } as unknown as Endpoint
  }
}

/** Values of a row that does not give them; its task is then the id in words. */
const defaults = { token: 'required', source: 'documented', parameters: {}, answers: { json: successShape } } as const

type Defaulted = 'task' | keyof typeof defaults

/** A row as it is written: without its room, and its effect, which is that of the operation. */
type GivenRow<Row extends Pick<Endpoint, Defaulted>> = Omit<Row, 'room' | 'effect' | Defaulted> &
  Partial<Pick<Row, Defaulted>>

/** The answer of an operation that takes the ids of its path alone, and answers success. */
export async function runByIds<Ids>({
  ids,
  run,
}: {
  readonly ids: Ids
  readonly run: (input: Ids) => Promise<unknown>
}): Promise<typeof success> {
  await run(ids)
  return success
}

/** Kind of a row in the directory: a resource if it is read, otherwise an operation (documented). */
export function kindOf({ effect }: Pick<Endpoint, 'effect'>): 'resource' | 'operation' {
  return effect === 'none' ? 'resource' : 'operation'
}

/**
 * Whether its parameters are sent in a body, as those of every operation are: a resource that is asked with a document or a
 * secret takes GET too, but a document may be longer than a URL, and a secret does not belong there.
 */
export function isSentByPost(row: Pick<Endpoint, 'effect' | 'parameters'>): boolean {
  if (kindOf(row) === 'operation') return true
  return Object.values(row.parameters).some(({ type, isSecret }) => type === 'json' || type === 'file' || isSecret)
}

/** Whether the endpoint may answer 429: the writes and searches of a user, and failed attempts, are limited. */
export function mayBeTooMany({ id, effect, token, isRateLimited }: Endpoint): boolean {
  return isRateLimited === true || id in searches || (effect !== 'none' && token !== 'none')
}
