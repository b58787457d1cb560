import { ProviderFailure } from '../identities/provider.ts'

/** Limits of what an identity provider answers (chosen). */
const maxBytes = 1_048_576
const maxMilliseconds = 5_000

/** The parts of a call that openid-client and jose give. */
export interface FetchOptions {
  readonly method?: string
  readonly headers?: RequestInit['headers']
  readonly body?: RequestInit['body'] | undefined
  readonly signal?: AbortSignal | undefined
  /** Answers with a redirect itself, in place of an error: where to, is looked at, and not followed. */
  readonly returnsRedirect?: true
}

/** The only place from which the server calls anything but its database. */
export interface LimitedFetch {
  (url: string, options?: FetchOptions): Promise<Response>
  /** Lets these addresses be called too, besides those of the issuer. */
  allow(urls: readonly string[]): void
}

/**
 * Calls the issuer's host, and those that are allowed: by https, without redirects, for a limited time and size. Where the
 * issuer is on this machine, http on this machine is allowed, for tests and development.
 */
export function openLimitedFetch(
  issuer: string,
  hosts: readonly string[] | undefined,
  { milliseconds = maxMilliseconds }: { readonly milliseconds?: number } = {},
): LimitedFetch {
  const { host, hostname } = new URL(issuer)
  const isLocal = isLoopback(hostname)
  const allowed = new Set([host, ...(hosts ?? [])])

  async function limitedFetch(address: string, { method, headers, body, signal, returnsRedirect }: FetchOptions = {}) {
    const url = new URL(address)
    const place = `${url.origin}${url.pathname}`
    const problem = findProblem(url)
    if (problem) throw new ProviderFailure('unreachable', `${place} is not called: ${problem}`)
    const deadline = AbortSignal.timeout(milliseconds)
    try {
      const response = await fetch(url, {
        ...(method && { method }),
        ...(headers && { headers }),
        ...(body && { body }),
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      })
      if (response.status >= 300 && response.status < 400 && !returnsRedirect) {
        await response.body?.cancel()
        throw new ProviderFailure('unreachable', `${place} answers with a redirect, which is not followed`)
      }
      const bytes = await readBytes(response, place)
      const { status, statusText } = response
      return new Response(status === 204 ? null : bytes, { status, statusText, headers: response.headers })
    } catch (error) {
      if (error instanceof ProviderFailure) throw error
      const reason = deadline.aborted ? `no answer within ${milliseconds / 1_000} s` : reasonOf(error)
      throw new ProviderFailure('unreachable', `${place} cannot be called: ${reason}`)
    }
  }

  function findProblem({ protocol, host, hostname }: URL): string | undefined {
    if (isLoopback(hostname)) {
      if (!isLocal) return 'it is on this machine, and the issuer is not'
    } else if (protocol !== 'https:') return 'it is not https'
    if (protocol !== 'https:' && protocol !== 'http:') return 'it is not https'
    if (isLinkLocal(hostname)) return 'addresses of the local link are never called'
    return allowed.has(host) ? undefined : 'its host is neither the issuer’s nor one that is allowed'
  }

  return Object.assign(limitedFetch, {
    allow(urls: readonly string[]) {
      // A list of the operator is complete.
      if (hosts === undefined) for (const url of urls) if (URL.canParse(url)) allowed.add(new URL(url).host)
    },
  })
}

async function readBytes({ body }: Response, place: string): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw new ProviderFailure('unreachable', `${place} answers more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Addresses where clouds keep the credentials of machines. */
function isLinkLocal(hostname: string): boolean {
  return /^169\.254\.|^\[(fe[89ab]|fd00:ec2|::ffff:a9fe:)/i.test(hostname)
}

function isLoopback(hostname: string): boolean {
  return /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/i.test(hostname)
}

/** Words of the network, such as ECONNREFUSED. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as {
    readonly cause?: { readonly code?: string; readonly message?: string }
    readonly message: string
  }
  return cause?.code ?? cause?.message ?? message
}
