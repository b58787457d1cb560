/** The thread of the tests: it knows their work. */
import { serveWrites } from '../../../src/storage/sqlite/write-thread.ts'
import { knownWorks } from './write-works.ts'

serveWrites(knownWorks)
