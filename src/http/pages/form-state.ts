/** Values that a form shows in its fields. */
export interface FormState {
  /** Where it is sent. */
  readonly address: string
  /** Text of a parameter as it was given before. */
  given(name: string): string | undefined
  /** Whether another page may have given those texts. */
  readonly isGivenElsewhere: boolean
}
