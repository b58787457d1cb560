import { Task } from '@lit/task'
import { html } from 'lit'

/** A read request of an element, repeated when its arguments change, and its rendering. */
export class Reading<const Args extends readonly unknown[], Value> extends Task<Args, Value> {
  /** Shows the value; until then, a loading state, or the error with a button to retry. */
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

  /** Like `show`, but keeps showing the previous value, and its focus, while it is read again. */
  showLatest(complete: (value: Value) => unknown) {
    return this.value === undefined ? this.show(complete) : complete(this.value)
  }
}
