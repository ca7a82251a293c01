import type { Ports } from '@qd/core/api'

/** Ids of the people who have dismissed the first steps in this browser, separated by commas. It outlives a sign-out. */
const storageKey = 'first-steps'
const maxPeople = 100

const read = (storage: Ports['storage']) => (storage.get(storageKey) ?? '').split(',').filter(Boolean)

/** Whether this person wants no first steps in this browser. */
export const areFirstStepsDismissed = (storage: Ports['storage'], id: number | null): boolean =>
  read(storage).includes(String(id))

/** Remembers that this person wants no first steps in this browser. */
export function dismissFirstSteps(storage: Ports['storage'], id: number | null): void {
  const others = read(storage).filter((one) => one !== String(id))
  storage.set(storageKey, [...others, id].slice(-maxPeople).join(','))
}
