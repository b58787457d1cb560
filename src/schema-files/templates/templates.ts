import { inspire, inspireAnnexes } from './inspire.ts'
import { iso19115 } from './iso-19115.ts'
import type { Template } from './template.ts'

export const templates: readonly Template[] = [iso19115, inspire, inspireAnnexes]
