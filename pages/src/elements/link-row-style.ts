import { css } from 'lit'

/** Links as the rows of a list, of which one leads to what is shown. */
export const linkRowStyle = css`
  a {
    display: flex;
    border-radius: 0.375rem;
    color: var(--wa-color-text-normal);
    text-decoration: none;
  }
  a:hover {
    background: var(--wa-color-neutral-fill-quiet);
  }
  a[aria-current] {
    background: var(--wa-color-brand-fill-quiet);
    color: var(--wa-color-brand-on-quiet);
    font-weight: 600;
  }
`
