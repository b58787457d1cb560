import { css } from 'lit'

/** Lets long words and the words of long buttons wrap, where there is no room for them in one line. */
export const buttonStyle = css`
  :host {
    overflow-wrap: anywhere;
  }
  wa-button {
    max-width: 100%;
  }
  wa-button::part(base) {
    height: auto;
    min-height: var(--wa-form-control-height);
    padding-block: 0.25rem;
  }
  wa-button::part(label) {
    white-space: normal;
    line-height: 1.3;
  }
`
