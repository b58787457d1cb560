import { Busboy } from '@fastify/busboy'

/** One part of a `multipart/form-data` body. */
export interface Part {
  readonly name: string
  /** Undefined if the part is not a file. */
  readonly fileName: string | undefined
  readonly bytes: Buffer
}

/** Maximum number of parts of a body: several times the parameters of any operation. The rest is not parsed. */
export const maxParts = 100

/** Maximum number of bytes of the headers of one part; the rest of them is not read. */
const maxHeaderBytes = 4 * 1024
/** Bytes that are parsed in one step: the rest after the last part that is read costs at most that much. */
const sliceBytes = 4 * 1024

/** The parts of a complete body; rejects if it is not well-formed. */
export function decodeMultipart(
  contentType: string,
  body: Buffer,
): Promise<{ readonly parts: readonly Part[]; readonly isCut: boolean }> {
  return new Promise((resolve, reject) => {
    const parts: Promise<Part>[] = []
    let isCut = false
    const parser = new Busboy({
      headers: { 'content-type': contentType },
      limits: { parts: maxParts, headerSize: maxHeaderBytes },
      // Every part is read as bytes, so that text is decoded, and refused, in one place.
      isPartAFile: () => true,
    })
    parser.on('file', (name: string | undefined, stream, fileName: string | undefined) => {
      if (name === undefined) reject(new Error('A part has no name.'))
      const part = readAll(stream).then((bytes) => ({ name: name ?? '', fileName: fileName || undefined, bytes }))
      part.catch(reject)
      parts.push(part)
    })
    const finish = () => Promise.all(parts).then((read) => resolve({ parts: read, isCut }), reject)
    parser.on('partsLimit', () => {
      isCut = true
      finish()
    })
    parser.on('error', reject)
    parser.on('finish', finish)

    function writeFrom(start: number): void {
      if (isCut) return
      if (start >= body.length) parser.end()
      else parser.write(body.subarray(start, start + sliceBytes), () => writeFrom(start + sliceBytes))
    }
    writeFrom(0)
  })
}

function readAll(stream: NodeJS.ReadableStream): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('error', reject)
    stream.on('end', () => resolve(Buffer.concat(chunks)))
  })
}
