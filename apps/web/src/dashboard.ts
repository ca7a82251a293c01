import './base/theme/global.css.ts'
import './base/theme/contract.css.ts'
import { drawn } from './base/drawn.ts'
import { startConsole } from './shell/console.tsx'

void drawn().then(() => startConsole(document.getElementById('root')!))
