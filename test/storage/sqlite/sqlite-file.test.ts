import { describeStorage } from '../contract/contract.ts'
import { openPreparedFile } from '../work-storage.ts'

describeStorage('SQLite in a file', openPreparedFile)
