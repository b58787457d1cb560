import { css } from 'lit'

/** Wraps long words, as titles of categories may have them. */
export const wrapStyle = css`
  :host {
    overflow-wrap: anywhere;
  }
`
