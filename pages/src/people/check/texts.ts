import { defineTexts } from '../../texts/texts.ts'

type Texts = typeof import('./texts/en.json')
/** Name of an id in a path, such as `groupId`. */
export type TargetName = keyof Texts extends infer Key ? (Key extends `target_${infer Name}` ? Name : never) : never

export const t = defineTexts<Texts>('people/check')
