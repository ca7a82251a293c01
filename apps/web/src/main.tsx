import './theme/global.css.ts'
import './theme/contract.css.ts'
import { languages, loadLanguage } from '@qd/core/i18n'
import { ports } from './ports.ts'
import { publicTexts } from './public-texts.ts'

/** The console and the public page are one build; each loads only its own part. Texts are fetched beside the code, not after it. */
async function start(): Promise<void> {
  const root = document.getElementById('root')!
  const isConsole = location.pathname.startsWith('/dashboard')
  const language = languages.find((known) => known === ports.storage.get('language')) ?? 'en-US'
  void loadLanguage(language, isConsole ? undefined : publicTexts)
  if (isConsole) await (await import('./console.tsx')).startConsole(root)
  else await (await import('./status/public.tsx')).startPublicPage(root)
}

void start()
