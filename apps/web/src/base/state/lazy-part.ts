import { type ComponentType, createElement, lazy } from 'react'
import { loadAllTexts } from './texts.ts'

/** Milliseconds before a part that could not be fetched is asked for again. */
const retryMs = 2000

/** Code that is fetched later, and the texts that it may say. While the network is gone it is asked for again. */
export async function fetched<Code>(load: () => Promise<Code>): Promise<Code> {
  for (;;) {
    try {
      const [code] = await Promise.all([load(), loadAllTexts()])
      return code
    } catch {
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  }
}

/** A part of the console that is fetched when it is first shown, in the language on screen also for what react-aria says in it. The page stays meanwhile. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async (): Promise<{ default: ComponentType<Props> }> => {
    const [part, { Localized }] = await fetched(() => Promise.all([load(), import('./localized.tsx')]))
    return { default: (props) => createElement(Localized, null, createElement(part, props)) }
  })
}
