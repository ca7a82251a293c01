import './theme/global.css.ts'
import './theme/contract.css.ts'

/** The console and the public page are one build; each loads only its own part. */
async function start(): Promise<void> {
  const root = document.getElementById('root')!
  if (location.pathname.startsWith('/dashboard')) (await import('./console.tsx')).startConsole(root)
  else (await import('./status/public.tsx')).startPublicPage(root)
}

void start()
