import { readFileSync } from 'node:fs'

/** The common passwords of 8 characters or more, in lower case: one on a line of the file, which says beside it where it is from. */
export function listCommonPasswords(): readonly string[] {
  return readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
}

/** Recognizes common passwords, whatever their case. The list is read when the first password is judged. */
export function openCommonPasswords(): (password: string) => boolean {
  let common: ReadonlySet<string> | undefined
  return (password) => {
    common ??= new Set(listCommonPasswords())
    return common.has(password.toLowerCase())
  }
}
