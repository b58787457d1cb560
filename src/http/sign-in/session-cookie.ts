import type { IncomingHttpHeaders } from 'node:http'

/**
 * The cookie of a browser session, which only the pages of sign-in look at: no call of the API is authorized by it. It is kept
 * on secure origins only, and this machine is one (chosen).
 */
export interface SessionCookie {
  read(headers: IncomingHttpHeaders): string | undefined
  /** `Set-Cookie`; null ends the session. Undefined where no session is kept. */
  write(token: string | null): string | undefined
}

/** In characters: the cookies of other programs of the host come, too. */
const longestHeader = 16_384

export function openSessionCookie(publicUrl: string, contextPath: string): SessionCookie {
  const { protocol, hostname } = new URL(publicUrl)
  const isKept = protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  // Cookies of one host have one path, so the name tells servers below different paths apart.
  const name = `__Host-cartulary${contextPath.replace(/[^\w-]+/g, '-')}`
  return {
    read({ cookie }) {
      if (!isKept || cookie === undefined || cookie.length > longestHeader) return undefined
      const given = cookie.split('; ').find((pair) => pair.startsWith(`${name}=`))
      const token = given?.slice(name.length + 1)
      return token === '' ? undefined : token
    },
    write(token) {
      if (!isKept) return undefined
      const attributes = 'Path=/; Secure; HttpOnly; SameSite=Lax'
      return token === null ? `${name}=; Max-Age=0; ${attributes}` : `${name}=${token}; ${attributes}`
    },
  }
}
