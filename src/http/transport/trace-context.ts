/** The trace that a request belongs to. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits: of the span in which the client or proxy sent the request. */
  readonly spanId: string
}

/** version "-" trace-id "-" parent-id "-" trace-flags; later versions may go on after another hyphen. */
const traceparent = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/

/** Reads the header `traceparent`; undefined if it is not valid (documented: W3C Trace Context, 3.2). */
export function parseTraceparent(header: string | readonly string[] | undefined): TraceContext | undefined {
  if (typeof header !== 'string') return undefined
  const [, version, traceId, spanId, rest] = traceparent.exec(header) ?? []
  if (!traceId || !spanId || (version === '00' && rest !== undefined)) return undefined
  return { traceId, spanId }
}
