import { describeStorage } from '../contract/contract.ts'
import { openWorkFile } from '../work-storage.ts'

describeStorage('SQLite in a file', openWorkFile)
