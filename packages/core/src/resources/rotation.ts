/** What keeps a second rotation of an agent secret from beginning while some agents still use the former one. */
export const rotating = [{ when: { secret_waiting: { empty: false } }, reason: 'rotating' }] as const

/** What keeps a rotation from being ended where none is open. */
export const notRotating = [{ when: { secret_waiting: { empty: true } }, reason: 'notRotating' }] as const
