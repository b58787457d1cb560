/** The thread that writes to a SQLite file: all the work that it knows. */
import { addOrganizationWith } from './first-run.ts'
import { performErrand, recordRefusal } from './http/perform.ts'
import { serveWrites } from './storage/write-thread.ts'

serveWrites([performErrand, recordRefusal, addOrganizationWith])
