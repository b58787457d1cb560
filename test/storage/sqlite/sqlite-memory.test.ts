import { describeStorage } from '../contract/contract.ts'
import { openWorkMemory } from '../work-storage.ts'

describeStorage('SQLite in memory', openWorkMemory)
