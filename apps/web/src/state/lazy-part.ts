import { type ComponentType, lazy } from 'react'
import { loadAllTexts } from './texts.ts'

/** Milliseconds before a part that could not be fetched is asked for again. */
const retryMs = 2000

/** A part of the console that is fetched when it is first shown, and the texts that it may say. While the network is gone it is asked for again and the page stays. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const fetched = async (): Promise<{ default: ComponentType<Props> }> => {
    for (;;) {
      try {
        const [part] = await Promise.all([load(), loadAllTexts()])
        return { default: part }
      } catch {
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
    }
  }
  return lazy(fetched)
}
