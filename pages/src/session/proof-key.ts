/** 32 random bytes as text: a proof key (RFC 7636), or the state of a sign-in. */
export function makeRandomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)))
}

/** Challenge of a proof key, by method S256. */
export async function challengeOf(proofKey: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(proofKey))))
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}
