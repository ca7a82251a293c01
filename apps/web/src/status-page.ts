import './base/theme/global.css.ts'
import './base/theme/contract.css.ts'
import { drawn } from './base/drawn.ts'
import { startPublicPage } from './public/public.tsx'

void drawn().then(() => startPublicPage(document.getElementById('root')!))
