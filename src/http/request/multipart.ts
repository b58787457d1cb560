import { Busboy } from '@fastify/busboy'
import { mostFields } from './form.ts'

/** One part of a `multipart/form-data` body. */
export interface Part {
  readonly name: string
  /** Undefined if the part is not a file. */
  readonly fileName: string | undefined
  readonly bytes: Buffer
}

/** The parts of a complete body; rejects if it is not well-formed. */
export function decodeMultipart(
  contentType: string,
  body: Buffer,
): Promise<{ readonly parts: readonly Part[]; readonly isCut: boolean }> {
  return new Promise((resolve, reject) => {
    const parts: Part[] = []
    let isCut = false
    const parser = new Busboy({
      headers: { 'content-type': contentType },
      limits: { parts: mostFields },
      // Every part is read as bytes, so that text is decoded, and refused, in one place.
      isPartAFile: () => true,
    })
    parser.on('file', (name: string | undefined, stream, fileName: string | undefined) => {
      if (name === undefined) reject(new Error('A part has no name.'))
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('error', reject)
      stream.on('end', () =>
        parts.push({ name: name ?? '', fileName: fileName || undefined, bytes: Buffer.concat(chunks) }),
      )
    })
    parser.on('partsLimit', () => {
      isCut = true
    })
    parser.on('error', reject)
    parser.on('finish', () => resolve({ parts, isCut }))
    parser.end(body)
  })
}
