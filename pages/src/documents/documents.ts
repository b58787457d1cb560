import './documents.css'
import { followTheme } from '../frame/theme.ts'

followTheme()
