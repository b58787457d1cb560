import { Task } from '@lit/task'
import { html } from 'lit'

/** What an element asks the server for, again when its arguments change, and how that is shown. */
export class Reading<const Args extends readonly unknown[], Value> extends Task<Args, Value> {
  /** Shows what was read; before, that it is on its way, or why it could not be read, with the way to try again. */
  show(complete: (value: Value) => unknown) {
    const renderLoading = () => html`<cartulary-loading></cartulary-loading>`
    return this.render({
      initial: renderLoading,
      pending: renderLoading,
      error: (error) =>
        html`<cartulary-problem .error=${error} can-retry @retry=${() => this.run()}></cartulary-problem>`,
      complete,
    })
  }

  /** Like `show`; what was read before stays in sight, and in focus, while it is read again. */
  showLatest(complete: (value: Value) => unknown) {
    return this.value === undefined ? this.show(complete) : complete(this.value)
  }
}
