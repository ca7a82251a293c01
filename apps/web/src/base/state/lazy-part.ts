import { type ComponentType, createElement, lazy } from 'react'
import { loadAllTexts } from './texts.ts'

const retryMs = 2000

/** Loads a code chunk together with its texts. Retries while the network is down. */
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

/** A lazily loaded component, with react-aria’s strings in the current language. The page stays visible meanwhile. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async (): Promise<{ default: ComponentType<Props> }> => {
    const [part, { Localized }] = await fetched(() => Promise.all([load(), import('./localized.tsx')]))
    return { default: (props) => createElement(Localized, null, createElement(part, props)) }
  })
}
