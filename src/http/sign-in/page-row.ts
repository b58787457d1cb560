import type { Parsed } from '../../call/parsed.ts'
import type { PortalError } from '../../errors.ts'
import type { Dependencies } from '../../operations/dependencies.ts'
import type { CommandId, InputOf, OutputOf } from '../../operations/registry.ts'
import type { RequestParameters } from '../decoding/request-parameters.ts'
import type { EndpointSettings, RunQuery } from '../endpoints/endpoint.ts'
import type { Parameters, Values } from '../endpoints/parameter-types.ts'
import type { Html } from '../pages/html.ts'
import type { PageCookies } from './session-cookie.ts'
import type { PageTexts } from './texts.ts'

/** A page of sign-in, which people see in a browser: it answers HTML, or leads to another address. */
export interface PageRow<Described extends Parameters = Parameters> {
  /** Id of the operation that it runs. */
  readonly id: string
  readonly title: string
  /** Task that a refusal names: "Unable to <task>." */
  readonly task: string
  /** Below `<root>/sharing/rest`. */
  readonly path: string
  /** Whether the path is below the root itself. */
  readonly isAtRoot?: true
  /** Whether a program asks, and so gets JSON with the HTTP status of its specification. */
  readonly isForPrograms?: true
  readonly methods: readonly ('GET' | 'POST')[]
  readonly effect: 'none' | 'change'
  /** Whether it compares a password, so that failures may be guesses. */
  readonly checksPassword?: true
  readonly parameters: Described
  readonly summary: string
  readonly source: string
  readonly chosen?: readonly string[]
  answer(visit: Visit<Described>): Promise<PageAnswer>
  /** The page that shows a refusal; without it, a page of its own. */
  answerRefusal?(visit: Visit<Described>, failure: PortalError): Promise<PageAnswer | undefined>
}

/** Ties a page's answer to its parameters. */
export function pageRow<Described extends Parameters>(row: PageRow<Described>): PageRow {
  return row as unknown as PageRow
}

export type PageAnswer = ShownPage | Redirect | Plain

export interface ShownPage extends SetsSession {
  readonly title: string
  readonly body: Html
  /** An origin or a scheme that the form of the page may lead to. */
  readonly formTarget?: string | undefined
  /** Whether it has the field of a password, and so the script that shows one. */
  readonly hasPassword?: boolean
  /** How it is asked for in another language; by default as it was, by an address without a form. */
  readonly again?: AskedAgain
  /** Outcome for the log; by default 200. */
  readonly outcome?: number
}

/** The request that shows a page again. */
export interface AskedAgain {
  readonly method: 'get' | 'post'
  readonly action: string
  readonly fields: readonly (readonly [string, string])[]
}

/** Redirects by 303, so that no form is sent again. */
export interface Redirect extends SetsSession {
  readonly redirect: string
}

/** For a program: without a page, with the HTTP status of its specification. */
export interface Plain extends SetsSession {
  readonly status: 200 | 400
  readonly json: Readonly<Record<string, string>>
}

interface SetsSession {
  /** Values of `Set-Cookie`, besides that of the session. */
  readonly cookies?: readonly string[]
  /** Token of a new browser session; null ends the present one. */
  readonly session?: string | null
}

/** A request of a page. */
export interface Visit<Described extends Parameters = Parameters> {
  readonly method: 'GET' | 'POST'
  readonly input: Parsed<Values<Described>>
  readonly requestParameters: RequestParameters
  readonly dependencies: Dependencies
  readonly settings: EndpointSettings
  readonly now: number
  readonly publicUrl: string
  /** Path of the server, without a slash at the end: where links and forms begin. */
  readonly contextPath: string
  /** Texts in the language of the person. */
  readonly texts: PageTexts
  /** Whether the form asks for another language only. */
  readonly choosesLanguage: boolean
  readonly address: string
  /** The start of the User-Agent. */
  readonly agent: string
  /** Whether a browser sent it, and not a program. */
  readonly isBrowser: boolean
  /** The other origin whose page sent it. */
  readonly findCrossSiteOrigin: () => string | undefined
  /** SHA-256 of the token in the cookie; undefined without one. */
  readonly sessionHash: string | undefined
  /** The other cookies that pages of sign-in keep. */
  readonly cookies: PageCookies
  /** Id of the request, by which its lines in the log are found. */
  readonly reference: string
  /** Writes to the log, for the operator. */
  warn(cause: string): void
  /** Names the user who signed in by this request, for the log. */
  noteSignIn(username: string): void
  readonly read: RunQuery
  run<Id extends CommandId>(operation: Id, input: InputOf<Id>): Promise<OutputOf<Id>>
}
