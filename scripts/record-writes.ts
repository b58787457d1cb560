import { keep, record } from '../test/durability/recording.ts'

// Renews the recordings in test/durability/recorded, on Linux with a C compiler named cc.
const answers = 120

for (const setting of ['own', 'normal'] as const) keep(await record(setting, answers), setting)
