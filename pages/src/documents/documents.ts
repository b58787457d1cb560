import './documents.css'
import { followTheme } from '../session/theme.ts'

followTheme()
