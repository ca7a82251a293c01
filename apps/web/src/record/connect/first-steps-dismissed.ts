import type { Ports } from '@qd/core/api'

/** Ids of users who dismissed the first steps in this browser, comma-separated. Kept after sign-out. */
const storageKey = 'first-steps'
const maxPeople = 100

const read = (storage: Ports['storage']) => (storage.get(storageKey) ?? '').split(',').filter(Boolean)

export const areFirstStepsDismissed = (storage: Ports['storage'], id: number | null): boolean =>
  read(storage).includes(String(id))

export function dismissFirstSteps(storage: Ports['storage'], id: number | null): void {
  const others = read(storage).filter((one) => one !== String(id))
  storage.set(storageKey, [...others, id].slice(-maxPeople).join(','))
}
