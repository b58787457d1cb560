import type { TextKey } from '../../texts/keys.ts'
import { textsOf } from '../../texts/texts.ts'

/** Name of an id in a path, such as `groupId`. */
export type TargetName =
  TextKey<'people/check'> extends infer Key ? (Key extends `target_${infer Name}` ? Name : never) : never

export const t = textsOf('people/check')
