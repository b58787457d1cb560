import { css } from 'lit'

/** Groups of choices, and what is folded. */
export const choiceStyle = css`
  fieldset {
    margin: 0;
    padding: 0;
    border: 0;
    min-width: 0;
  }
  legend {
    padding: 0;
    margin-block-end: 0.25rem;
    font-weight: 600;
  }
  summary {
    min-height: 1.75rem;
    cursor: pointer;
  }
  details[open] > summary {
    margin-block-end: 0.5rem;
  }
`
