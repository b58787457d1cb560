/** Parameters of a call, by their names. Undefined ones are not sent. */
export type Parameters = Readonly<Record<string, Parameter>>

export type Parameter = string | number | boolean | undefined | Blob
