import { describeStorage } from '../contract/contract.ts'
import { makeFile } from '../reused-database.ts'
import { openWorkFile } from '../work-storage.ts'

describeStorage('SQLite in a file', { makeDatabase: makeFile, open: ({ place }) => openWorkFile(place) })
