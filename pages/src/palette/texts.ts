import { defineTexts } from '../texts/texts.ts'

export const t = defineTexts<typeof import('./texts/en.json')>('palette')
