import { css } from 'lit'

/** Groups of choices, and what is folded. */
export const choiceStyle = css`
  legend {
    margin-block-end: 0.25rem;
  }
  summary {
    min-height: 1.75rem;
    cursor: pointer;
  }
  details[open] > summary {
    margin-block-end: 0.5rem;
  }
`
