import './frame/page.css'
import './elements/everywhere.ts'
import { registerIcons } from './elements/icons.ts'
import { followLinks } from './navigation/navigation.ts'
import { openSession } from './session/session.ts'
import { followTheme } from './session/theme.ts'
import { textsLoaded } from './texts/texts.ts'
import './frame/app.ts'

followTheme()
registerIcons()
followLinks()
await textsLoaded()
const app = document.createElement('cartulary-app')
app.opening = openSession()
document.body.prepend(app)
