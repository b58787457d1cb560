import type { Parameters } from '../../api/parameters.ts'

/** A call of the API as a command line. */
interface RepeatedCall {
  readonly address: string
  /** Name of the file that is sent. */
  readonly file: string
  readonly parameters: Parameters
}

/** The command of curl that makes the call, for a POSIX shell, with the token in `$TOKEN`. */
export function formatCall({ address, file, parameters }: RepeatedCall): string {
  const given = Object.entries(parameters).filter(
    ([name, value]) => value !== undefined && value !== '' && name !== 'file' && name !== 'text',
  )
  return [
    'curl -H "Authorization: Bearer $TOKEN"',
    `-F ${quote(`file=@"${file.replace(/["\\]/g, '\\$&')}"`)}`,
    // Unlike -F, it takes a value as it is, whatever it begins with.
    ...given.map(([name, value]) => `--form-string ${quote(`${name}=${value}`)}`),
    quote(address),
  ].join(' \\\n  ')
}

/** A word of a POSIX shell: bare where it has nothing that a shell reads. */
function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
