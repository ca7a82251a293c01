import { loadYoga, type Yoga } from 'yoga-layout/load'

let yoga: Yoga

/** Resolves when Yoga is loaded. The package uses top-level await, which a script can't. */
export const yogaReady: Promise<void> = loadYoga().then((loaded) => {
  yoga = loaded
})

export { yoga as default }
