import { textsOf } from '../texts/texts.ts'

export const t = textsOf('sentences')
