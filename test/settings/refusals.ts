import { ConfigError } from '../../src/config.ts'

/** The sentences with which settings are refused. */
export function refusalsOf(reading: () => unknown): readonly string[] {
  try {
    reading()
  } catch (error) {
    if (error instanceof ConfigError) return error.refusals
    throw error
  }
  throw new Error('The settings were taken.')
}
