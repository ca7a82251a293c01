/** Keys that a browser keeps for itself unless a page in full screen asks for them. */
interface KeyboardLock {
  lock(): Promise<void>
}

/** Fills the screen, or gives it back; in full screen the shell gets Ctrl+W and its like too, where the browser can (behaviour W-15). */
export async function toggleFullScreen(): Promise<void> {
  if (document.fullscreenElement) return document.exitFullscreen()
  try {
    await document.documentElement.requestFullscreen()
    await (navigator as Navigator & { keyboard?: KeyboardLock }).keyboard?.lock()
  } catch {
    // The browser refuses; the window stays as it is.
  }
}
