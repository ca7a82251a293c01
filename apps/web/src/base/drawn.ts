/** Waits for the first paint of the gray frame. A hidden page is never painted, so it doesn’t wait. */
export function drawn(): Promise<unknown> {
  if (document.hidden) return Promise.resolve()
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}
