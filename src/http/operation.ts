import type { Account, Call } from '../directory/caller.ts'
import type { Parsed } from '../input.ts'
import type { Stores } from '../storage/storage.ts'
import type { Answer } from './answer.ts'
import type { Parameters, Values } from './parameters.ts'
import type { Params } from './params.ts'
import type { Ports } from './ports.ts'

/** One row of the operation table. */
export interface Operation<Described extends Parameters = Parameters, Path extends string = string> {
  /** Name of the operation in the audit, the logs and the OpenAPI document. */
  readonly id: string
  readonly room: Room
  /** Heading of its page. */
  readonly title: string
  /** What could not be done if it is refused: "Unable to <task>." */
  readonly task: string
  /** A resource is read, by GET and POST alike; an operation changes something, by POST only (observed). */
  readonly kind: 'resource' | 'operation'
  /** Only for an operation that GET calls too (description §4.4). */
  readonly isCalledByGet?: true
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
  /** Who may call, in words. */
  readonly who: string
  readonly summary: string
  /** Where the operation comes from: a section of the description, `documented`, `observed` or `chosen`. */
  readonly source: string
  /** Release of the public API that brought it (description §9). */
  readonly since?: string
  /** What the contract leaves open here, and what was chosen. */
  readonly chosen?: readonly string[]
  /** Links from this resource's value to others, as paths below the base. */
  links?(value: unknown, ids: Readonly<Record<string, string>>): readonly Link[]
  readonly example: Example<Described>
  answer(request: ApiRequest<Described, Path>): Promise<Answer>
}

export type Room = 'directory' | 'tokens' | 'categories' | 'collaborations'

export interface Link {
  readonly text: string
  readonly path: string
}

/** A call and its answer, as documented and as tested. */
export interface Example<Described extends Parameters = Parameters> {
  /** Who calls, where it is not the administrator. */
  readonly caller?: 'anna' | 'guest'
  /** How far the handshake has come before, where the invitation has not just been sent. */
  readonly moment?: 'accepted' | 'imported'
  readonly ids?: Readonly<Record<string, string>>
  /** A file is given as its text. */
  readonly parameters?: { readonly [Name in keyof Described]?: string }
  /** What the file among the parameters is called. */
  readonly fileName?: string
  readonly answer: unknown
}

/** Names of the ids in a path: `/portals/:portalId/roles/:roleId` → `portalId | roleId`. */
export type IdsOf<Path extends string> = Path extends `${string}:${infer Id}/${infer Rest}`
  ? Id | IdsOf<`/${Rest}`>
  : Path extends `${string}:${infer Id}`
    ? Id
    : never

export type RoomOperation<Input, Output> = (stores: Stores, call: Call, input: Input) => Promise<Output>

/** A request as its row sees it. */
export interface ApiRequest<Described extends Parameters = Parameters, Path extends string = string> {
  readonly ids: Readonly<Record<IdsOf<Path>, string>>
  readonly input: Parsed<Values<Described>>
  readonly params: Params
  readonly ports: Ports
  readonly now: number
  /** Network address of the caller. */
  readonly address: string
  /** Public root of this server, without a slash at the end. */
  readonly publicUrl: string
  readonly settings: OperationSettings
  /** Runs an operation that changes nothing, for whoever the token says. */
  read<Input, Output>(operation: RoomOperation<Input, Output>, input: Input): Promise<Output>
  /** Runs an operation and writes the audit, in one transaction. Input and output are plain values. */
  write<Input, Output>(operation: RoomOperation<Input, Output>, input: Input, account?: Account): Promise<Output>
}

/** Settings that operations look at. */
export interface OperationSettings {
  readonly maxTokenExpirationMinutes: number
  readonly signInLimit: { readonly failures: number; readonly minutes: number }
  readonly allowedOrigins: readonly string[] | undefined
}

/** Ties a row's answer to the parameters and ids that it describes. */
export function operation<const Path extends string, Described extends Parameters>(
  row: Operation<Described, Path>,
): Operation {
  return row as unknown as Operation
}
