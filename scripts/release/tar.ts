/** A tar archive whose bytes depend only on the names and bytes of its files. */

/** A file of an archive. */
export interface ArchivedFile {
  /** Path from the root of the archive, with slashes. */
  readonly path: string
  readonly bytes: Uint8Array
  readonly isProgram: boolean
}

const blockSize = 512
/** 26 October 1985, 08:15 UTC, as npm sets it for files of packages: some programs refuse times near 1970. */
const modifiedSeconds = 499_162_500

/** Formats a ustar archive: sorted by path, without owners or actual times. */
export function formatTar(files: readonly ArchivedFile[]): Buffer {
  const sorted = [...files].sort((one, other) => Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)))
  const blocks = sorted.flatMap(({ path, bytes, isProgram }) => [
    formatHeader(path, bytes.length, isProgram ? 0o755 : 0o644),
    bytes,
    Buffer.alloc(-bytes.length & (blockSize - 1)),
  ])
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockSize)])
}

function formatHeader(path: string, size: number, mode: number): Buffer {
  const header = Buffer.alloc(blockSize)
  const { prefix, name } = splitPath(path)
  header.write(name, 0)
  writeOctal(header, mode, 100, 8)
  writeOctal(header, 0, 108, 8)
  writeOctal(header, 0, 116, 8)
  writeOctal(header, size, 124, 12)
  writeOctal(header, modifiedSeconds, 136, 12)
  header.fill(' ', 148, 156)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  header.write(prefix, 345)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

function writeOctal(header: Buffer, value: number, offset: number, width: number): void {
  header.write(`${value.toString(8).padStart(width - 1, '0')}\0`, offset)
}

const maxNameLength = 100
const maxPrefixLength = 155

/** Splits a long path at a slash: the format has 100 bytes for the name, and 155 for the prefix. */
function splitPath(path: string): { readonly prefix: string; readonly name: string } {
  if (Buffer.byteLength(path) <= maxNameLength) return { prefix: '', name: path }
  for (let cut = path.indexOf('/'); cut !== -1; cut = path.indexOf('/', cut + 1)) {
    const [prefix, name] = [path.slice(0, cut), path.slice(cut + 1)]
    if (Buffer.byteLength(prefix) <= maxPrefixLength && Buffer.byteLength(name) <= maxNameLength)
      return { prefix, name }
  }
  throw new Error(`${path} is too long for an archive.`)
}
