/** Owner of a category schema. */
export interface Owner {
  readonly kind: 'group' | 'portal'
  readonly id: string
}

/** Change that a client requests. */
export type ClientRequest =
  | { readonly kind: 'assign'; readonly owner: Owner; readonly document: string }
  | { readonly kind: 'delete'; readonly owner: Owner }
  | { readonly kind: 'invite' }
  | { readonly kind: 'invalidate'; readonly invitationId: string }

/** Response of the server. */
export interface Answer {
  /** Whether it was done, or refused. */
  readonly isDone: boolean
  /** Names the request in the audit. */
  readonly requestId: string
  readonly text: string
}

/** One request, with its place in the order of everything that the clients sent and were answered. */
export interface Exchange<Kind extends ClientRequest = ClientRequest> {
  readonly request: Kind
  readonly sentAt: number
  /** Undefined while no answer came: it may have been done or not. */
  readonly answer: Answer | undefined
  /** When the answer came, or nothing on its way could be done any more. */
  readonly settledAt: number
}

/** A change of the ledger; the same entries in the same order make the same ledger. */
export type Entry = { readonly sent: ClientRequest } | { readonly answered: number; readonly answer: Answer }

/** Knowledge of the clients: all that a server may be held to. */
export class Ledger {
  readonly #exchanges: Exchange[] = []
  readonly #record: (entry: Entry) => void
  #moment = 0

  /** Records every entry before anything comes of it. */
  constructor(record: (entry: Entry) => void = () => undefined) {
    this.#record = record
  }

  /** Notes a request that is about to be sent; returns its number. */
  send(request: ClientRequest): number {
    this.#record({ sent: request })
    this.#exchanges.push({ request, sentAt: this.#next(), answer: undefined, settledAt: Number.POSITIVE_INFINITY })
    return this.#exchanges.length - 1
  }

  answer(number: number, answer: Answer): void {
    this.#record({ answered: number, answer })
    this.#exchanges[number] = { ...this.#exchanges[number]!, answer, settledAt: this.#next() }
  }

  /** Nothing that is still on its way can be done any more. */
  settleAll(): void {
    const now = this.#next()
    for (const [number, exchange] of this.#exchanges.entries()) {
      if (exchange.settledAt > now) this.#exchanges[number] = { ...exchange, settledAt: now }
    }
  }

  note(entry: Entry): void {
    if ('sent' in entry) this.send(entry.sent)
    else this.answer(entry.answered, entry.answer)
  }

  /** Deeds of one kind, in the order of sending. */
  exchanges<Kind extends ClientRequest['kind']>(
    kind: Kind,
  ): readonly Exchange<Extract<ClientRequest, { kind: Kind }>>[] {
    return this.#exchanges.filter(({ request }) => request.kind === kind) as Exchange<
      Extract<ClientRequest, { kind: Kind }>
    >[]
  }

  /** How many were answered as done, and how many were never answered. */
  count(): { readonly done: number; readonly unanswered: number } {
    return {
      done: this.#exchanges.filter(isDone).length,
      unanswered: this.#exchanges.filter(({ answer }) => answer === undefined).length,
    }
  }

  #next(): number {
    this.#moment += 1
    return this.#moment
  }
}

/** Acknowledged: it has to be there, whatever happens. */
export function isDone({ answer }: Exchange): boolean {
  return answer?.isDone === true
}

/** Whether the server refused the request: its change must not be stored. */
export function isRefused({ answer }: Exchange): boolean {
  return answer?.isDone === false
}

/** Name of an exchange in messages: its kind, and its request id in the audit. */
export function nameOf({ request, answer }: Exchange): string {
  return `${request.kind} ${answer?.requestId ?? 'without an answer'}`
}

/** Neither refused nor known to be done: it may be there. */
export function isOpen({ answer }: Exchange): boolean {
  return answer === undefined
}
