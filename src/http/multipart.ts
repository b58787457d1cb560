import { Busboy } from '@fastify/busboy'

/** One part of a `multipart/form-data` body. */
export interface Part {
  readonly name: string
  /** Undefined for a part that is no file. */
  readonly fileName: string | undefined
  readonly bytes: Buffer
}

const mostParts = 1000

/** The parts of a body that was received whole; rejects where the body is not well-formed multipart. */
export function decodeMultipart(contentType: string, body: Buffer): Promise<readonly Part[]> {
  return new Promise((resolve, reject) => {
    const parts: Part[] = []
    const parser = new Busboy({
      headers: { 'content-type': contentType },
      limits: { parts: mostParts },
      // Every part comes as bytes, so that text is decoded, and refused, in one place.
      isPartAFile: () => true,
    })
    parser.on('file', (name, stream, fileName: string | undefined) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('error', reject)
      stream.on('end', () => parts.push({ name, fileName: fileName || undefined, bytes: Buffer.concat(chunks) }))
    })
    parser.on('partsLimit', () => reject(new Error(`More than ${mostParts} parts.`)))
    parser.on('error', reject)
    parser.on('finish', () => resolve(parts))
    parser.end(body)
  })
}
