import './base/theme/global.css.ts'
import './base/theme/contract.css.ts'

/** Waits for the first paint of the gray frame. A hidden page is never painted, so it doesn’t wait. */
function drawn(): Promise<unknown> {
  if (document.hidden) return Promise.resolve()
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}

async function start(): Promise<void> {
  const root = document.getElementById('root')!
  await drawn()
  if (location.pathname.startsWith('/dashboard')) await (await import('./shell/console.tsx')).startConsole(root)
  else await (await import('./public/public.tsx')).startPublicPage(root)
}

void start()
