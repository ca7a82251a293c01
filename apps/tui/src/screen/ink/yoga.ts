import { loadYoga, type Yoga } from 'yoga-layout/load'

let yoga: Yoga

/** Resolves when Ink can lay out boxes. The package itself waits for it while it is imported, which a script cannot. */
export const yogaReady: Promise<void> = loadYoga().then((loaded) => {
  yoga = loaded
})

export { yoga as default }
