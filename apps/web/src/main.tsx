import './base/theme/global.css.ts'
import './base/theme/contract.css.ts'

/** The frame in grey is drawn before code begins that takes longer; a page that nobody sees is never drawn. */
function drawn(): Promise<unknown> {
  if (document.hidden) return Promise.resolve()
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}

/** The console and the public page are one build; each loads only its own part. */
async function start(): Promise<void> {
  const root = document.getElementById('root')!
  await drawn()
  if (location.pathname.startsWith('/dashboard')) await (await import('./shell/console.tsx')).startConsole(root)
  else await (await import('./public/public.tsx')).startPublicPage(root)
}

void start()
