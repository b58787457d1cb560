import { css } from 'lit'

/** Links of a navigation or list as rows, of which one is the current one. */
export const linkRowStyle = css`
  :is(nav, ul) a {
    display: flex;
    border-radius: 0.375rem;
    color: var(--wa-color-text-normal);
    text-decoration: none;
  }
  :is(nav, ul) a:hover {
    background: var(--wa-color-neutral-fill-quiet);
  }
  :is(nav, ul) a[aria-current] {
    background: var(--wa-color-brand-fill-quiet);
    color: var(--wa-color-brand-on-quiet);
    font-weight: 600;
  }
`
