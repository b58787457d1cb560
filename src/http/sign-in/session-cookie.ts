import type { IncomingHttpHeaders } from 'node:http'

/**
 * The cookie of a browser session, which only the pages of sign-in look at: no call of the API is authorized by it. It is kept
 * on secure origins only, and this machine is one (chosen).
 */
export interface SessionCookie {
  read(headers: IncomingHttpHeaders): string | undefined
  readOthers(headers: IncomingHttpHeaders): PageCookies
  /** `Set-Cookie`; null ends the session. Undefined where no session is kept. */
  write(token: string | null): string | undefined
}

/** Cookies whose names begin as that of the session. */
export interface PageCookies {
  /** Values by the rest of their names, after the common start. */
  readonly given: ReadonlyMap<string, string>
  /** `Set-Cookie` for some seconds; null removes it. */
  write(name: string, value: string | null, seconds: number): string
}

const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax'

/** Characters: the cookies of other programs of the host come, too. */
const maxHeaderLength = 16_384

export function openSessionCookie(publicUrl: string, contextPath: string): SessionCookie {
  const { protocol, hostname, port } = new URL(publicUrl)
  const isKept = protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  // Cookies of one host have one path and no port, so the name distinguishes its servers, each from any other.
  const path = contextPath.replace('/', '-').replaceAll('/', '!').replaceAll('.', '+')
  const name = `__Host-cartulary${port === '' ? '' : `_${port}`}${path}`
  return {
    read({ cookie }) {
      if (!isKept || cookie === undefined || cookie.length > maxHeaderLength) return undefined
      const given = cookie.split('; ').find((pair) => pair.startsWith(`${name}=`))
      const token = given?.slice(name.length + 1)
      return token === '' ? undefined : token
    },
    readOthers({ cookie = '' }) {
      const start = `${name}.`
      const pairs = isKept && cookie.length <= maxHeaderLength ? cookie.split('; ') : []
      const own = pairs.filter((pair) => pair.startsWith(start)).map((pair) => pair.slice(start.length).split('='))
      return {
        given: new Map(own.map(([rest, value]) => [rest!, value ?? ''])),
        write(rest, value, seconds) {
          const life = value === null ? 0 : seconds
          return `${start}${rest}=${value ?? ''}; Max-Age=${life}; ${attributes}`
        },
      }
    },
    write(token) {
      if (!isKept) return undefined
      return token === null ? `${name}=; Max-Age=0; ${attributes}` : `${name}=${token}; ${attributes}`
    },
  }
}
