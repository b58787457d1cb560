import { css, html, nothing } from 'lit'
import { state } from 'lit/decorators.js'
import { repeat } from 'lit/directives/repeat.js'
import { signedIn } from '../session/session.ts'
import { ofElements as t } from '../texts/rooms.ts'
import { announce, button, PageElement } from './page.ts'
import { wordsOf } from './problem.ts'

/** Time for which a message is shown, in milliseconds (chosen); it stands still while it has the pointer or the focus. */
const shownFor = 10_000

/** Plan that the person sees before anything is undone; without `undo`, nothing can be. */
export interface UndoQuestion {
  readonly text: unknown
  readonly undo: (() => Promise<void>) | undefined
}

interface Message {
  text: unknown
  /** Text of its button. */
  readonly button: string
  /** Work of its button; undefined where there is none to do. */
  press: (() => Promise<UndoQuestion | undefined>) | undefined
  /** Work when its time has passed, or the person leaves the page. */
  readonly pass: (() => Promise<void>) | undefined
  /** Called with whether the time has passed, once the message is gone. */
  readonly settle: (hasPassed: boolean) => void
  state: 'shown' | 'asked' | 'running' | 'failed'
  problem: string
  timer: number | undefined
}

/** Messages at the end of the page, each with a button, such as Undo. */
class UndoMessages extends PageElement {
  static override styles = css`
    :host {
      position: fixed;
      inset-block-end: calc(1rem + var(--bottom-bar, 0px));
      inset-inline: 1rem;
      z-index: 20;
      pointer-events: none;
    }
    div[role='status'] {
      display: grid;
      gap: 0.5rem;
      justify-items: var(--message-place, center);
      padding-inline-start: var(--message-start, 0px);
    }
    .panel {
      padding: 0.5rem 0.75rem;
      max-width: min(100%, var(--message-width, 100%));
      box-shadow: 0 0.5rem 1.5rem var(--wa-color-shadow);
      pointer-events: auto;
    }
    .panel > span {
      min-width: 0;
    }
    @media print {
      :host {
        display: none;
      }
    }
  `

  @state() messages: readonly Message[] = []

  constructor() {
    super()
    window.addEventListener('pagehide', () => {
      for (const message of this.messages) void this.#pass(message)
    })
  }

  add(given: Pick<Message, 'text' | 'button' | 'press' | 'pass' | 'settle'>): () => void {
    const message: Message = { ...given, state: 'shown', problem: '', timer: undefined }
    // Only the last change is undone by a message; what waits for its time keeps its own.
    for (const earlier of this.messages) if (earlier.press && earlier.state === 'shown') this.#remove(earlier, true)
    this.messages = [...this.messages, message]
    this.#start(message)
    return () => {
      if (message.state === 'shown') this.#remove(message, false)
    }
  }

  protected override willUpdate(): void {
    // A message is of the person who has signed out: what has not been sent yet is not sent.
    if (signedIn()) return
    for (const message of this.messages) this.#remove(message, false)
  }

  override render() {
    return html`<div role="status">${repeat(
      this.messages,
      (message) => message,
      (message) => this.#renderOne(message),
    )}</div>`
  }

  #renderOne(message: Message) {
    const { text, button: label, state, problem } = message
    return html`<div
      class="panel row"
      @pointerenter=${() => this.#stop(message)} @pointerleave=${() => this.#start(message)}
      @focusin=${() => this.#stop(message)} @focusout=${() => this.#start(message)}
    >
      <span>${text}${state === 'failed' ? html` <strong>${problem}</strong>` : nothing}</span>
      ${state === 'failed' || (state === 'asked' && !message.press) ? nothing : button(label, { size: 's', loading: state === 'running', onClick: () => this.#press(message) })}
      ${state === 'failed' || !message.pass ? button(t('close'), { appearance: 'plain', size: 's', onClick: () => this.#remove(message, true) }) : nothing}
    </div>`
  }

  #start(message: Message): void {
    this.#stop(message)
    if (message.state !== 'shown') return
    message.timer = window.setTimeout(() => void this.#pass(message), shownFor)
  }

  #stop({ timer }: Message): void {
    window.clearTimeout(timer)
  }

  async #press(message: Message): Promise<void> {
    if (await this.#run(message, message.press)) this.#remove(message, false)
  }

  async #pass(message: Message): Promise<void> {
    if (await this.#run(message, message.pass)) this.#remove(message, true)
  }

  /** Runs the work once; returns whether it has succeeded. A failure stays until the person closes it. */
  async #run(message: Message, work: Message['press'] | Message['pass']): Promise<boolean> {
    if (message.state !== 'shown' && message.state !== 'asked') return false
    this.#stop(message)
    message.state = 'running'
    this.requestUpdate()
    try {
      const question = await work?.()
      if (!question) return true
      Object.assign(message, { text: question.text, press: question.undo, state: 'asked' })
      this.requestUpdate()
      return false
    } catch (error) {
      message.state = 'failed'
      message.problem = (await wordsOf(error)).message.text
      this.requestUpdate()
      return false
    }
  }

  #remove(message: Message, hasPassed: boolean): void {
    this.#stop(message)
    this.messages = this.messages.filter((other) => other !== message)
    message.settle(hasPassed)
  }
}

customElements.define('cartulary-undo-messages', UndoMessages)

let shown: UndoMessages | undefined

/** Shows a message, and returns the function that takes it away before its time. */
async function show(message: Parameters<UndoMessages['add']>[0]): Promise<() => void> {
  shown ??= document.body.appendChild(document.createElement('cartulary-undo-messages') as UndoMessages)
  // Screen readers announce what comes into a region that is there already.
  await shown.updateComplete
  return shown.add(message)
}

/**
 * Shows for ten seconds what has been done, with a button to undo it: `offerUndo(t('moved'), () => …)`. `undo` restores it, and
 * reads the screen again, or answers what the person has to see first; a rejection is shown. Returns the function that takes the
 * message away, as when something else is done.
 */
export function offerUndo(text: string, undo: () => Promise<UndoQuestion | undefined> | Promise<void>): () => void {
  const press = async (): Promise<UndoQuestion | undefined> => {
    const question = await undo()
    if (question)
      return { ...question, undo: question.undo && (() => question.undo!().then(() => announce(t('undone')))) }
    announce(t('undone'))
    return undefined
  }
  const message = show({ text, button: t('undo'), press, pass: undefined, settle: () => {} })
  return () => void message.then((remove) => remove())
}

/**
 * Acts after ten seconds, unless the person cancels, for what cannot be undone: `delayed(t('deleting', { title }), () => …)`. It acts
 * immediately when the person leaves the page, so its call has to be one that outlasts the page (`keepalive`); a sign-out cancels
 * it. Returns whether it has acted; a rejection is shown.
 */
export function delayed(text: string, act: () => Promise<void>): Promise<boolean> {
  let hasActed = false
  const pass = async () => {
    await act()
    hasActed = true
  }
  return new Promise((resolve) => {
    void show({ text, button: t('cancel'), press: undefined, pass, settle: () => resolve(hasActed) })
  })
}
