import { css } from 'lit'

/** Lets long words wrap, as the titles of categories may have them. */
export const wrapStyle = css`
  :host {
    overflow-wrap: anywhere;
  }
`
