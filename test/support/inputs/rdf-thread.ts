/** Program of a thread that parses RDF, one text after the other. */
import { parentPort } from 'node:worker_threads'
import { parseRdf } from '../../../src/file-reading/rdf.ts'

parentPort!.on('message', async ({ text, syntax }) => parentPort!.postMessage(await parseRdf(text, syntax)))
