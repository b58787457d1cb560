import type { Draft, DraftPlace, KeptDraft } from '../drafts/draft-store.ts'

/** Time after the last edit until the server has it, in milliseconds (chosen). */
const pause = 3_000
/** Maximum time between two tries to reach the server, in milliseconds (chosen). */
const maxPause = 60_000

/** Draft of the server as it is now. */
export type KeptNow = Pick<KeptDraft, 'id' | 'name' | 'revision'>

/** Outcome of sending a draft. */
export type Sent =
  | { readonly kept: KeptNow }
  /** Another person has saved it meanwhile. */
  | { readonly savedBy: string }
  | { readonly refusal: unknown }
  /** No answer: it is sent again later. */
  | 'unreachable'
  /** Published or deleted meanwhile. */
  | 'gone'

export type SavingState = 'saved' | 'saving' | Exclude<Sent, { readonly kept: KeptNow }>

/** Drafts of an owner on the server. */
export interface DraftServer {
  send(draft: Draft): Promise<Sent>
  remove(kept: KeptNow): Promise<unknown>
}

/** Runs work after a number of milliseconds; returns the function that gives it up. */
export type Later = (work: () => void, milliseconds: number) => () => void

/**
 * Saves the draft of this browser on the server, some time after its last edit, one request at a time. The browser keeps it until
 * then, and for as long as the server does not answer. It stops where a person has to decide.
 */
export class DraftSaving {
  state: SavingState = 'saved'
  /** Draft on the server, where the browser had no space to note it. */
  #kept: KeptDraft | undefined
  #running = Promise.resolve()
  #failures = 0
  /** `saved` of a draft that was refused: it is not sent again as it is. */
  #refused: number | undefined
  #giveUp = () => {}
  readonly #place: DraftPlace
  readonly #server: DraftServer
  readonly #later: Later
  readonly #onChange: () => void

  constructor(place: DraftPlace, server: DraftServer, later: Later, onChange: () => void) {
    this.#place = place
    this.#server = server
    this.#later = later
    this.#onChange = onChange
  }

  /** Schedules saving after an edit. */
  ask(draft: Draft): void {
    const needsPerson = typeof this.state === 'object' && 'savedBy' in this.state
    if (!this.#isSaved(draft) && !needsPerson && draft.saved !== this.#refused) this.#schedule(draft)
  }

  /** Saves a draft immediately; resolves once the server has answered. */
  async now(draft: Draft): Promise<void> {
    this.#giveUp()
    this.#running = this.#running.then(() => (this.#isSaved(draft) ? undefined : this.#save(draft)))
    await this.#running
  }

  /** Waits for a running request, and begins no other. */
  async stop(): Promise<void> {
    this.#giveUp()
    await this.#running
  }

  /** Saves it as another draft, beside that of the other person. */
  async saveAsOther({ kept: _, isTried: __, ...draft }: Draft): Promise<void> {
    this.#kept = undefined
    this.state = 'saved'
    this.#place.save(draft)
    await this.now(draft)
  }

  #isSaved(draft: Draft): boolean {
    return this.#keptOf(draft)?.saved === draft.saved
  }

  #keptOf({ kept }: Draft): KeptDraft | undefined {
    const known = this.#kept
    return kept && known?.id === kept.id && known.revision > kept.revision ? known : (kept ?? known)
  }

  /** Schedules saving: the longer the server has not answered, the later. */
  #schedule(draft: Draft): void {
    const milliseconds = Math.min(maxPause, pause * 2 ** this.#failures)
    this.#giveUp()
    this.#giveUp = this.#later(() => void this.now(this.#place.load() ?? draft), milliseconds)
  }

  async #save(draft: Draft): Promise<void> {
    this.#set('saving')
    const before = this.#keptOf(draft)
    // A browser that is closed before the answer knows then that the next revision may be its own.
    const wasStored = this.#place.load()?.saved === draft.saved
    if (wasStored)
      this.#place.save(before ? { ...draft, kept: { ...before, isSending: true } } : { ...draft, isTried: true })
    // That it was sent before counts: else a revision of the same person is that of another browser.
    const sent = await this.#server.send({ ...draft, kept: before })
    let stored = this.#place.load()
    if (sent !== 'unreachable' && (stored?.kept?.isSending || stored?.isTried)) {
      stored = { ...stored, isTried: undefined, kept: stored.kept && { ...stored.kept, isSending: false } }
      this.#place.save(stored)
    }
    if (typeof sent === 'object' && 'kept' in sent) {
      this.#failures = 0
      const isOwn = before?.isOwn ?? before === undefined
      // Discarded meanwhile.
      if (wasStored && !stored && isOwn) await this.#server.remove(sent.kept)
      const { id, name, revision } = sent.kept
      this.#kept = { id, name, revision, isOwn, saved: draft.saved }
      if (stored) this.#place.save({ ...stored, kept: this.#kept })
      this.#set('saved')
      if (stored) this.ask({ ...stored, kept: this.#kept })
      return
    }
    if (sent === 'gone') {
      this.#kept = undefined
      if (stored) this.#place.save({ ...stored, kept: undefined })
    }
    if (typeof sent === 'object' && 'refusal' in sent) this.#refused = draft.saved
    if (sent === 'unreachable') {
      this.#failures += 1
      this.#schedule(draft)
    }
    this.#set(sent)
  }

  #set(state: SavingState): void {
    this.state = state
    this.#onChange()
  }
}
