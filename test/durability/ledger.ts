/** Whose category schema it is. */
export interface Owner {
  readonly kind: 'group' | 'portal'
  readonly id: string
}

/** What a client asks a server to change. */
export type Wish =
  | { readonly kind: 'assign'; readonly owner: Owner; readonly document: string }
  | { readonly kind: 'delete'; readonly owner: Owner }
  | { readonly kind: 'invite' }
  | { readonly kind: 'invalidate'; readonly invitationId: string }

/** What the server said. */
export interface Answer {
  /** Whether it was done, or refused. */
  readonly isDone: boolean
  /** Names the request in the audit. */
  readonly requestId: string
  readonly text: string
}

/** One wish, with its place in the order of everything that the clients sent and were answered. */
export interface Deed<Kind extends Wish = Wish> {
  readonly wish: Kind
  readonly sentAt: number
  /** Undefined while no answer came: it may have been done or not. */
  readonly answer: Answer | undefined
  /** When the answer came, or nothing on its way could be done any more. */
  readonly settledAt: number
}

/** What the ledger is told; the same entries in the same order make the same ledger. */
export type Entry = { readonly sent: Wish } | { readonly answered: number; readonly answer: Answer }

/** What the clients know: all that a server may be held to. */
export class Ledger {
  readonly #deeds: Deed[] = []
  readonly #record: (entry: Entry) => void
  #moment = 0

  /** Where one listens, every entry is told before anything comes of it. */
  constructor(record: (entry: Entry) => void = () => undefined) {
    this.#record = record
  }

  /** Notes a wish that is about to be sent; answers its number. */
  send(wish: Wish): number {
    this.#record({ sent: wish })
    this.#deeds.push({ wish, sentAt: this.#next(), answer: undefined, settledAt: Number.POSITIVE_INFINITY })
    return this.#deeds.length - 1
  }

  answer(number: number, answer: Answer): void {
    this.#record({ answered: number, answer })
    this.#deeds[number] = { ...this.#deeds[number]!, answer, settledAt: this.#next() }
  }

  /** Nothing that is still on its way can be done any more. */
  settleAll(): void {
    const now = this.#next()
    for (const [number, deed] of this.#deeds.entries()) {
      if (deed.settledAt > now) this.#deeds[number] = { ...deed, settledAt: now }
    }
  }

  note(entry: Entry): void {
    if ('sent' in entry) this.send(entry.sent)
    else this.answer(entry.answered, entry.answer)
  }

  /** Deeds of one kind, in the order of sending. */
  deeds<Kind extends Wish['kind']>(kind: Kind): readonly Deed<Extract<Wish, { kind: Kind }>>[] {
    return this.#deeds.filter(({ wish }) => wish.kind === kind) as Deed<Extract<Wish, { kind: Kind }>>[]
  }

  /** How many were answered as done, and how many were never answered. */
  count(): { readonly done: number; readonly unanswered: number } {
    return {
      done: this.#deeds.filter(isDone).length,
      unanswered: this.#deeds.filter(({ answer }) => answer === undefined).length,
    }
  }

  #next(): number {
    this.#moment += 1
    return this.#moment
  }
}

/** Acknowledged: it has to be there, whatever happens. */
export function isDone({ answer }: Deed): boolean {
  return answer?.isDone === true
}

/** It must not be there. */
export function isRefused({ answer }: Deed): boolean {
  return answer?.isDone === false
}

/** For messages: what it was, and its name in the audit. */
export function nameOf({ wish, answer }: Deed): string {
  return `${wish.kind} ${answer?.requestId ?? 'without an answer'}`
}

/** Neither refused nor known to be done: it may be there. */
export function isOpen({ answer }: Deed): boolean {
  return answer === undefined
}
