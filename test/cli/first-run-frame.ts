/** The password in the frame, if there is one. */
export function framedPassword(text: string): string | undefined {
  return /Password {7}(\S{20,})/.exec(text)?.[1]
}

/** The public address of a server that was given none. */
export function rootOf(url: string): string {
  return `http://localhost:${new URL(url).port}`
}

/** The secret in the link that is in the frame, if there is one. */
export function framedSecret(text: string, url: string): string | undefined {
  return new RegExp(`${url}/first-run#(\\S{43})`).exec(text)?.[1]
}
